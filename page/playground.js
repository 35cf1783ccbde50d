// The playground in the page: its module, and the one with the actions, which are loaded when somebody needs them.

/** What the panel asks of it; `load` and `styles` bring what is not there yet. */
export const playground = ({ load, styles, name, bridge }) => ({
  /** Mounts it; the reason as a text where it cannot be loaded. */
  async mount(place) {
    try {
      const [module] = await Promise.all([load("playground"), styles("playground.css")]);
      return module.mount(place, bridge());
    } catch (error) {
      console.error(`${name}: the playground could not be loaded`, error);
      return String(error?.message ?? error).slice(0, 300);
    }
  },

  /** Runs a call in the module that contains the actions; empty where it cannot be loaded. */
  async act(number, call) {
    try {
      return await (await load("actions")).run(bridge(), number, call);
    } catch (error) {
      console.error(`${name}: an action could not be run in the page`, error);
      return "";
    }
  },

  /** Stops a call that runs there. */
  async halt(number) {
    (await load("actions").catch(() => null))?.stop(number);
  },
});
