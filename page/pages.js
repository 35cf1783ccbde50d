// The pages that the panel leaves to a module of their own, the picture of the puppy on one of them, and the actions that
// run in the page: loaded when somebody needs them.

/** What is asked of them; `load` and `styles` bring what is not there yet. */
export const pages = ({ load, styles, name, bridge }) => ({
  /** Mounts a page; the reason as a text where it cannot be loaded. */
  async mount(place, page) {
    try {
      const [module] = await Promise.all([load("pages"), styles("pages.css")]);
      return module.mount(place, bridge(), page);
    } catch (error) {
      console.error(`${name}: the pages could not be loaded`, error);
      return String(error?.message ?? error).slice(0, 300);
    }
  },

  /** Mounts a picture of the puppy; it plays the scenes it is sent, slower by a factor. */
  async preview(place) {
    try {
      const module = await load("puppy");
      if (!place.isConnected) return null;
      const picture = module.preview(place, bridge());
      return {
        tell(what, slow) {
          picture.tell(what);
          for (const animation of place.getAnimations({ subtree: true })) animation.playbackRate = 1 / slow;
        },
        unmount: () => picture.unmount(),
      };
    } catch (error) {
      console.error(`${name}: the picture of the puppy could not be made`, error);
      return null;
    }
  },

  /** Sends the usage report, if it is due. */
  async report() {
    try {
      await (await load("pages")).send_report();
    } catch (error) {
      console.error(`${name}: the usage report could not be made`, error);
    }
  },

  /** Runs an errand of the puppy about coins. */
  errand: async (errand) => (await load("pages")).errand(errand),

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
