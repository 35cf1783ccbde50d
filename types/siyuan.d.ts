// SiYuan's API for plugins, as far as the scripts use it. Optional members exist only in newer or in some frontends.

declare module "siyuan" {
  type Frontend = "desktop" | "desktop-window" | "mobile" | "browser-desktop" | "browser-mobile";

  interface App {
    readonly plugins: Plugin[];
  }

  interface MenuItem {
    id?: string;
    type?: "separator";
    label?: string;
    /** Empty for none; without it the label is indented for an icon. */
    iconHTML?: string;
    checked?: boolean;
    disabled?: boolean;
    submenu?: MenuItem[];
    click?(): void;
  }

  class Menu {
    /** Whether a menu of this id was open before: the call then closes it, and this one stays empty. */
    readonly isOpen: boolean;
    constructor(id: string, closeCallback?: () => void);
    addItem(item: MenuItem): void;
    open(place: { x: number; y: number }): void;
  }

  class Dialog {
    readonly element: HTMLElement;
    constructor(options: { content: string; width: string; height: string; destroyCallback(): void });
    /** Removes the dialog after its animation, then calls `destroyCallback`. */
    destroy(): void;
  }

  /** An editor. `rootID` is its document; `id` is that, or the block that is zoomed in. */
  interface Protyle {
    element: HTMLElement;
    block?: { id?: string; rootID?: string; showAll?: boolean };
  }

  interface LoadedProtyle extends Protyle {
    block: { id: string; rootID: string; showAll?: boolean };
  }

  interface Editor {
    protyle?: Protyle;
  }

  interface Tab {
    headElement?: HTMLElement;
    /** Missing in a tab that has not been looked at; only models of documents have an editor. */
    model?: { editor?: Editor };
  }

  interface TreeMenu {
    menu: Menu;
    type: "doc" | "docs" | "notebook";
    /** Since SiYuan 3.8, in place of `elements`. */
    items?: { notebookId?: string }[];
    elements?: NodeListOf<HTMLElement>;
  }

  interface BlockMenu {
    menu: Menu;
    blockElements?: HTMLElement[];
  }

  interface Events {
    "open-menu-doctree": TreeMenu;
    "click-blockicon": BlockMenu;
  }

  interface EventBus {
    on<Type extends keyof Events>(type: Type, listener: (event: CustomEvent<Events[Type]>) => void): void;
    off<Type extends keyof Events>(type: Type, listener: (event: CustomEvent<Events[Type]>) => void): void;
  }

  abstract class Plugin {
    readonly app: App;
    readonly name: string;
    readonly i18n: typeof import("../i18n/en.json");
    readonly eventBus: EventBus;
    onload(): void;
    onLayoutReady(): void;
    onunload(): void;
    uninstall(): void;
    openSetting(): void;
    onDataChanged(): void;
    addCommand(command: { langKey: string; langText: string; hotkey: string; callback(): void }): void;
    addIcons(symbols: string): void;
    addTopBar(button: { id: string; icon: string; title: string; callback(): void }): HTMLElement;
    /** Since SiYuan 3.8. */
    removeTopBar?(id: string): void;
    /** Since SiYuan 3.8: the tools of the plugin for SiYuan's own agent, which its page keeps until the plugin is unloaded. */
    agentCapabilities?: { id: string; generation: number }[];
    /** Since SiYuan 3.8. Does nothing for a name that is in `agentCapabilities`. */
    addAgentCapability?(capability: AgentCapability): string;
  }

  interface AgentEffects {
    localRead?: boolean;
    localWrite?: boolean;
    dataEgress?: boolean;
    externalCost?: boolean;
  }

  /** A tool for SiYuan's own agent. */
  interface AgentCapability {
    name: string;
    title?: string;
    description: string;
    inputSchema: object;
    effects?: AgentEffects;
    actionEffects?: Record<string, AgentEffects>;
    handler(args: Record<string, unknown>, app: App): Promise<{ result?: string; structuredContent?: unknown; error?: string }>;
  }

  /** Opens SiYuan's settings; the dialog, where they open in this window. */
  function openSetting(app: App, tab?: string): Dialog | undefined;
  function getFrontend(): Frontend;
  function showMessage(html: string, milliseconds: number, kind?: "info" | "error", id?: string): void;
  function hideMessage(id: string): void;
  function getAllEditor(): Editor[];
  /** Missing on phones. */
  const getActiveEditor: undefined | (() => Editor | undefined);
  const getAllTabs: undefined | (() => Tab[]);
  function openTab(options: { app: App; doc: { id: string; action: string[]; zoomIn: boolean }; keepCursor: boolean }): Promise<Tab>;
  function openMobileFileById(app: App, id: string, action: string[]): void;
}

/** An MCP server in the settings of SiYuan's own assistant. */
interface AssistantServer {
  name: string;
  enabled: boolean;
  type: string;
  command: string;
  args: string[];
  url: string;
  headers: Record<string, string>;
  timeout: number;
}

/** The tools that may be used, by their ids. Since SiYuan 3.8. */
interface CapabilityPolicy {
  default?: "allow" | "deny";
  overrides?: Record<string, "allow" | "deny">;
}

/** The settings of SiYuan's own assistant; older kernels have no MCP servers there. */
interface AssistantSettings {
  mcp?: { servers?: AssistantServer[]; exposurePolicy?: CapabilityPolicy };
  agent?: { confirmTimeout?: number; capabilityPolicy?: CapabilityPolicy };
  providers?: { id: string; apiKey?: string }[];
}

interface Window {
  siyuan: {
    config: {
      lang?: string;
      readonly?: boolean;
      api?: { token?: string };
      system: { workspaceDir: string };
      ai?: AssistantSettings;
    };
    isPublish?: boolean;
  };
}
