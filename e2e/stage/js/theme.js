// Light and dark: the attributes of the page that theme variables and plugins look at.

/** Switches in place, without a reload. */
export function setTheme(mode) {
  const root = document.documentElement;
  root.dataset.themeMode = mode;
  root.dataset.lightTheme = "daylight";
  root.dataset.darkTheme = "midnight";
  window.siyuan.config.appearance.mode = mode === "dark" ? 1 : 0;
}
