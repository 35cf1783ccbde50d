// Texts of the stub page itself, in the two languages the tests use.
const WORDS = {
  en: {
    workspace: "Workspace", manage: "Manage", settings: "Settings", plugin: "Plugin", search: "Search",
    cancel: "Cancel", confirm: "Confirm", delete: "Delete", save: "Save", files: "Documents",
    outline: "Outline", tags: "Tag", bookmark: "Bookmark", graph: "Graph View", backlinks: "Backlinks",
    help: "Help", dock: "Show/Hide Dock", mode: "Appearance Mode", marketplace: "Marketplace",
    downloaded: "Downloaded", enable: "Enable", unpin: "Unpin", empty: "No document is open",
    commands: "Command Palette", back: "Go back", forward: "Go forward", sync: "Data synchronization has not been enabled",
    inbox: "Inbox", menu: "Main Menu",
  },
  "zh-CN": {
    workspace: "工作空间", manage: "管理", settings: "设置", plugin: "插件", search: "搜索",
    cancel: "取消", confirm: "确定", delete: "删除", save: "保存", files: "文档树",
    outline: "大纲", tags: "标签", bookmark: "书签", graph: "关系图", backlinks: "反向链接",
    help: "帮助", dock: "显示/隐藏停靠栏", mode: "外观模式", marketplace: "集市",
    downloaded: "已下载", enable: "启用", unpin: "取消固定", empty: "没有打开的文档",
    commands: "命令面板", back: "后退", forward: "前进", sync: "数据同步未启用",
    inbox: "收集箱", menu: "主菜单",
  },
};

/** The language codes of the page; `zh_CN` is the older spelling of `zh-CN`. */
export function language(code) {
  const wanted = String(code ?? "en").replace("_", "-");
  return wanted in WORDS ? wanted : wanted.startsWith("zh") ? "zh-CN" : "en";
}

/** All texts of one language, as the host keeps them in `siyuan.languages`. */
export const words = (code) => ({ ...WORDS.en, ...WORDS[language(code)] });
