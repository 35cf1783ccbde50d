// The modules that few people need: the playground, the runs, the actions that run in the page, and the preview of the puppy.

/**
 * The functions that need such a module; `load` and `styles` load what is missing.
 *
 * @param {{ load: Load, styles: (file: string) => Promise<unknown> | undefined, name: string, host: () => Host }} parts
 */
export const late = ({ load, styles, name, host }) => ({
  /**
   * Mounts the view of a module; returns the reason as text if it cannot be loaded.
   *
   * @type {Host["view"]}
   */
  async view(view, place) {
    try {
      const name = view === "activity" ? "agents" : view;
      const [module] = await Promise.all([load(name), styles(`${name}.css`)]);
      return /** @type {any} */ (module)[view](place, host());
    } catch (/** @type {any} */ error) {
      console.error(`${name}: the ${view} could not be loaded`, error);
      return String(error?.message ?? error).slice(0, 300);
    }
  },

  /**
   * Mounts a picture of the puppy; it plays the scenes it is sent, slower by a factor.
   *
   * @type {Host["preview"]}
   */
  async preview(place) {
    try {
      const module = await load("puppy");
      if (!place.isConnected) return null;
      const picture = module.preview(place, host());
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

  /**
   * Runs a call in the module that contains the actions; empty where it cannot be loaded.
   *
   * @type {Host["act"]}
   */
  async act(number, call) {
    try {
      return await (await load("actions")).run(host(), number, call);
    } catch (error) {
      console.error(`${name}: an action could not be run in the page`, error);
      return "";
    }
  },

  /**
   * Stops a call that runs there.
   *
   * @param {number} number
   */
  async halt(number) {
    (await load("actions").catch(() => null))?.stop(number);
  },

  /**
   * Runs a call of SiYuan's own agent in the module that contains the actions.
   *
   * @param {OwnHost} page
   * @param {string} call
   */
  async agent(page, call) {
    return (await load("actions")).agent(page, call);
  },

  /** Ends the record of such calls. */
  async rest() {
    await (await load("actions")).rest();
  },

  /**
   * Says who wrote a block, and leads to the run.
   *
   * @param {string} block
   * @param {(title: string, text: string, isDangerous: boolean, word: string, yes: string) => Promise<boolean>} confirm
   */
  async writer(block, confirm) {
    const [title, text, open, run] = (await (await load("agents")).writer(host(), block)).split("\n");
    if (!run) host().say(new Option(text).innerHTML);
    else if (await confirm(title, text, false, "", open)) host().openPanel(`activity run ${run}`);
  },
});
