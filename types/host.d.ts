// The objects that pass between `index.js`, the other scripts and the modules of wasm. A test compares those that Rust
// declares as well.

type SiYuan = typeof import("siyuan");
type MCPPuppy = InstanceType<typeof import("../index.js")>;
type Keeper = InstanceType<typeof import("../desktop/keeper.js").Keeper>;

/** The scripts that load when they are needed, by their names in the package. */
interface Scripts {
  "desktop/assistant.js": typeof import("../desktop/assistant.js");
  "desktop/place.js": typeof import("../desktop/place.js");
  "page/channel.js": typeof import("../page/channel.js");
  "page/confirm.js": typeof import("../page/confirm.js");
  "page/hand.js": typeof import("../page/hand.js");
  "page/late.js": typeof import("../page/late.js");
  "page/menu.js": typeof import("../page/menu.js");
  "page/native.js": typeof import("../page/native.js");
  "page/own.js": typeof import("../page/own.js");
  "page/removal.js": typeof import("../page/removal.js");
  "page/screen.js": typeof import("../page/screen.js");
  "page/tree.js": typeof import("../page/tree.js");
  "page/walk.js": typeof import("../page/walk.js");
}

/** The exports of the modules of wasm. */
interface Modules {
  puppy: {
    mount(element: Element, host: Host): Mounted;
    preview(element: Element, host: Host): Mounted;
  };
  panel: {
    mount(element: Element, host: Host): Mounted;
    channel(host: ChannelHost): Mounted;
    questions(element: Element, host: ChannelHost, place: string): Mounted;
    request(request: string): Promise<string>;
  };
  playground: {
    playground(element: Element, host: Host): Mounted;
  };
  agents: {
    agents(element: Element, host: Host): Mounted;
    activity(element: Element, host: Host): Mounted;
    writer(host: Host, block: string): Promise<string>;
  };
  actions: {
    run(host: Host, number: number, call: string): Promise<string>;
    agent(host: OwnHost, call: string): Promise<string>;
    rest(): Promise<void>;
    stop(number: number): void;
  };
}

/** The glue of a module; its default export compiles it. */
type Glue<Name extends keyof Modules> = Modules[Name] & {
  default(options: { module_or_path: string }): Promise<unknown>;
};

type Load = <Name extends keyof Modules>(name: Name) => Promise<Glue<Name>>;

/** A view of a module. */
interface Mounted {
  tell(what: string): void;
  unmount(): void;
}

/** A view of a module that loads late. */
interface LateView {
  tell(text: string): void;
  unmount(): void;
}

/** A picture of the puppy. */
interface Preview {
  tell(text: string, slow: number): void;
  unmount(): void;
}

/** The members of every object that serves a module. */
interface Page {
  readonly lang: string;
  readonly texts: string;
  say(text: string): void;
  tellPuppy(text: string): void;
}

/** The object through which `index.js` serves a module. */
interface Host extends Page {
  readonly readonly: boolean;
  readonly settings: string;
  readonly page: string;
  openPanel(page: string): void;
  pause(is: boolean): void;
  menu(lines: string, x: number, y: number): Promise<string>;
  preview(element: Element): Promise<Preview | null>;
  view(view: "playground" | "activity" | "agents", element: Element): Promise<LateView | string>;
  act(number: number, call: string): Promise<string>;
  halt(number: number): void;
  request(request: string): Promise<string>;
  server(what: ServerRequest): Promise<ServerStatus | string[]>;
  assistant(what: AssistantRequest, entry: string): Promise<string>;
  native(what: NativeRequest): Promise<string>;
  copy(text: string): Promise<boolean>;
  secret(): string;
  save(name: string, text: string): void;
  confirm(title: string, text: string, word: string): Promise<boolean>;
  approve(title: string, text: string): Promise<boolean>;
}

/** A tool for SiYuan's own agent, as the module of the panel declares it. */
type OwnTool = Omit<import("siyuan").AgentCapability, "handler">;

/** The object through which `page/own.js` serves calls of SiYuan's own agent. */
interface OwnHost extends Host {
  readonly patience: number;
  ask(question: string): Promise<string>;
  touched(doc: string, block: string, level: string): void;
  screen(call: string, action: string, args: string): Promise<string>;
}

/** The object through which `page/channel.js` connects the channel to the page. */
interface ChannelHost extends Page {
  readonly version: string;
  send(text: string): void;
  shows(place: "nothing" | "bubble" | "dialog"): void;
  touched(doc: string, block: string, level: string): void;
  levels(): void;
  tellPause(): void;
  leave(): void;
  act(call: string, action: string, args: string): Promise<string>;
}

type ServerRequest = "attend" | "start" | "stop" | "restart" | "purge" | "status" | "log";
type NativeRequest = "look" | "deny" | "deny-all" | "open";
type AssistantRequest = "look" | "add" | "remove";

/** The state of the server that the desktop keeps; `detail` is for people. */
interface ServerState {
  state: "off" | "none" | "starting" | "running" | "stopping" | "failed";
  why?: string;
  detail?: string;
  pid?: number;
  url?: string;
  version?: string;
  since?: number;
  made?: string;
}

/** The state as the panel shows it. */
interface ServerStatus extends ServerState {
  plugin?: string;
  program?: string;
  platform?: string;
  tokenFile?: string;
  certificate?: string;
  isStale?: boolean;
}

/** The reason why this page keeps no server. */
interface NoKeeper {
  why: "readonly" | "browser" | "remote";
}

/** The modules of Electron's Node. */
interface NodeModules {
  fs: typeof import("node:fs");
  path: typeof import("node:path");
  os: typeof import("node:os");
  zlib: typeof import("node:zlib");
  childProcess: typeof import("node:child_process");
  process: NodeJS.Process;
}

/** The kernel as a server reaches it. */
interface Kernel {
  url: string;
  readonly token: string;
  workspace: string;
}

/** The functions of the page that a keeper calls. */
interface KeeperPage {
  version: string;
  /** Reads the settings of the panel; null where they cannot be read. */
  settings(): Promise<Settings | null>;
  /** Writes them; whether that worked. */
  keep(settings: Settings): Promise<boolean>;
  /** Makes a token. */
  secret(): string;
  /** Runs one piece of work at a time in all windows of this workspace. */
  exclusive(work: () => Promise<void>): Promise<void>;
  changed?(state: ServerState): void;
}

interface KeeperParts extends KeeperPage {
  node: NodeModules;
  kernel: Kernel;
  packageFolder: string;
  /** Gets a missing program as the person wants; undefined once it is in place. */
  obtain(request: ObtainRequest): Promise<ServerState | undefined>;
}

/** A request for the missing program. `isWished` is one of the person's own. */
interface ObtainRequest {
  isWished: boolean;
  /** Ends the question and the download. */
  signal: AbortSignal;
  changed(state: ServerState): void;
}

interface ObtainParts extends ObtainRequest {
  node: NodeModules;
  packageFolder: string;
  version: string;
  show: ReturnType<typeof import("../page/program.js").program>;
  /** Runs one piece of work at a time in all windows. */
  alone<Answer>(work: () => Promise<Answer>): Promise<Answer>;
}

/** Hears of the bytes that have arrived. */
type Progress = (bytes: number) => void;

/** The question for the missing program. */
interface ProgramQuestion {
  wanted: import("../desktop/fetch.js").Wanted;
  /** Closes the dialog without an answer. */
  signal: AbortSignal;
  /** Whether an older program was here. */
  isUpdate: boolean;
  /** Whether the person allowed later downloads before. */
  isAlways: boolean;
  download(progress: Progress, signal: AbortSignal): Promise<void>;
  choose(file: File): Promise<void>;
}

/** The answer to that question. `code` is the last trouble, empty where nothing was tried. */
interface ProgramAnswer {
  isHere: boolean;
  isAlways: boolean;
  code: string;
  detail: string;
}

/** The page that a server is kept for. */
interface DesktopPage extends KeeperPage {
  name: string;
  /** The plugin's present instance. */
  readonly plugin: MCPPuppy | null;
  frontend: string;
  require(name: string): any;
  location: { hostname: string; port: string; search: string };
  config: Window["siyuan"]["config"];
  /** A file that is written through the kernel; `write` returns its content. */
  proof: { path: string; write(): Promise<string | undefined>; remove(): Promise<unknown> };
}

type Options = ReturnType<typeof import("../desktop/options.js").optionsOf>;
type Files = InstanceType<typeof import("../desktop/record.js").Files>;

/** A server that was started, as its page wrote it down. */
interface ServerRecord {
  pid: number;
  parent: number;
  url: string;
  version: string;
  since: number;
  made: string;
}

/** The settings of the server, as a person or another program wrote them. */
type Settings = Record<string, unknown>;

/** The state that all instances of the plugin in a page share. */
interface Slot {
  /** By name and version of a module; the name decides the type. */
  modules: Map<string, Promise<any>>;
  current: MCPPuppy | null;
  /** The number of loads that failed. */
  attempts: number;
  texts?: { version: string; text: string };
  keeper?: KeptServer;
}

interface KeptServer {
  version: string;
  ready: Promise<Keeper | NoKeeper>;
}

type PanelDialog = import("siyuan").Dialog & { panel?: Mounted };
type Timer = ReturnType<typeof setTimeout>;

declare var __siyuanMcpPuppy: Slot | undefined;
