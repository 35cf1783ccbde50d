// The icon sprite: our own line drawings under the names that host markup refers to.
const LINES = {
  Account: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 20a8 8 0 0 1 16 0",
  Add: "M12 5v14M5 12h14",
  Back: "M15 5l-7 7 7 7",
  Bazaar: "M4 9h16v11H4zM8 9V7a4 4 0 0 1 8 0v2",
  Bookmark: "M7 4h10v16l-5-4-5 4z",
  Check: "M5 13l5 5L20 7",
  Close: "M6 6l12 12M18 6L6 18",
  CloseRound: "M6 6l12 12M18 6L6 18",
  Cloud: "M7 18a4 4 0 0 1 0-8 5 5 0 0 1 10-1 4.500 4.500 0 0 1 0 9z",
  CloudOff: "M7 18a4 4 0 0 1 0-8 5 5 0 0 1 10-1 4.500 4.500 0 0 1 0 9zM4 4l16 16",
  Contract: "M5 9h4V5M19 15h-4v4M9 9L4 4M15 15l5 5",
  Copy: "M9 9h10v10H9zM5 15V5h10",
  Dark: "M20 14A8 8 0 1 1 10 4a7 7 0 0 0 10 10z",
  Down: "M6 9l6 6 6-6",
  Download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  Edit: "M4 20l1-5L16 4l4 4L9 19z",
  Eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  File: "M6 3h8l4 4v14H6zM14 3v4h4",
  Files: "M8 3h8l4 4v10H8zM4 7v14h12",
  Focus: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v4M12 18v4M2 12h4M18 12h4",
  Forward: "M9 5l7 7-7 7",
  GlobalGraph: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM4 12h16M12 4c-5 5-5 11 0 16 5-5 5-11 0-16z",
  Graph: "M6 6h.01M18 8h.01M12 18h.01M6 6l12 2-6 10z",
  Heart: "M12 20S4 15 4 9a4 4 0 0 1 8-2 4 4 0 0 1 8 2c0 6-8 11-8 11z",
  Help: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM9.500 9.500a2.500 2.500 0 1 1 3.500 2.300c-.700.300-1 .800-1 1.700M12 17h.01",
  HideDock: "M4 5h16v14H4zM9 5v14",
  History: "M4 12a8 8 0 1 0 3-6L4 8M4 4v4h4M12 8v4l3 2",
  Image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4",
  Inbox: "M4 13l3-8h10l3 8v6H4zM4 13h5l1 2h4l1-2h5",
  IndeterminateCheck: "M4 4h16v16H4zM8 12h8",
  Info: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 11v5M12 8h.01",
  Keymap: "M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8",
  Layout: "M4 5h16v14H4zM10 5v14M10 11h10",
  LayoutGrid: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  Left: "M15 5l-7 7 7 7",
  Light: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500L19 19M19 5l-1.500 1.500M6.500 17.500L5 19",
  Link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  List: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  ListTree: "M4 5h8M9 12h11M9 19h11M5 5v12a2 2 0 0 0 2 2M5 12h2",
  Lock: "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3",
  Menu: "M4 6h16M4 12h16M4 18h16",
  More: "M6 12h.01M12 12h.01M18 12h.01",
  NewNoteBook: "M6 4h12v16H6zM6 4v16M12 9v6M9 12h6",
  Outline: "M4 6h16M8 12h12M8 18h12",
  Play: "M7 5l12 7-12 7z",
  Plugin: "M9 4h6v4h5v12H4V8h5z",
  PlugZap: "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4",
  Quit: "M12 4v8M7 7a7 7 0 1 0 10 0",
  Redo: "M20 9H9a5 5 0 0 0 0 10h6M16 5l4 4-4 4",
  Refresh: "M20 11a8 8 0 1 0-2 6M20 5v6h-6",
  RiffCard: "M4 8h12v12H4zM8 8V4h12v12h-4",
  Right: "M9 5l7 7-7 7",
  Search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l5 5",
  Settings: "M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.100 2.100M16.300 16.300l2.100 2.100M18.400 5.600l-2.100 2.100M7.700 16.300l-2.100 2.100",
  Sort: "M8 5v14M5 16l3 3 3-3M16 19V5M13 8l3-3 3 3",
  Sparkles: "M10 4l2 5 5 2-5 2-2 5-2-5-5-2 5-2zM18 4v4M16 6h4M18 16v4M16 18h4",
  SquareAsterisk: "M4 4h16v16H4zM12 8v8M8.500 10l7 4M15.500 10l-7 4",
  Tag: "M4 12V4h8l8 8-8 8zM8 8h.01",
  Terminal: "M4 5h16v14H4zM7 9l3 3-3 3M12 15h4",
  Theme: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 3v18",
  Trashcan: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  Undo: "M4 9h11a5 5 0 0 1 0 10H9M8 5L4 9l4 4",
  Unpin: "M9 4h6l1 7 3 3H5l3-3zM12 14v6M4 4l16 16",
  Upload: "M12 16V5M7 9l5-5 5 5M5 20h14",
  VIP: "M4 8l4 4 4-7 4 7 4-4-2 11H6z",
  Warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
  ZoomOut: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l5 5M8 11h6",
};

const symbol = ([name, d]) =>
  `<symbol id="icon${name}" viewBox="0 0 24 24"><path d="${d}" fill="none" stroke="currentColor"` +
  ` stroke-width="2" stroke-linecap="round" stroke-linejoin="round"></path></symbol>`;

/** The hidden sprite, first child of the body as in the host. */
export function sprite() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.id = "iconsLitheness";
  svg.setAttribute("style", "position:absolute;width:0;height:0;overflow:hidden");
  svg.innerHTML = Object.entries(LINES).map(symbol).join("");
  return svg;
}

/** Markup of one icon. */
export const icon = (name, classes = "") =>
  `<svg${classes ? ` class="${classes}"` : ""}><use xlink:href="#${name}"></use></svg>`;
