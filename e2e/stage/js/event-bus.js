// The event bus a plugin gets: listeners stay until the plugin removes them; since SiYuan 3.8.2 the host does so on unload.
export class EventBus {
  #target = new EventTarget();

  on(type, listener) {
    this.#target.addEventListener(type, listener);
  }

  once(type, listener) {
    this.#target.addEventListener(type, listener, { once: true });
  }

  off(type, listener) {
    this.#target.removeEventListener(type, listener);
  }

  /** Forgets all listeners. */
  clear() {
    this.#target = new EventTarget();
  }

  emit(type, detail) {
    return this.#target.dispatchEvent(new CustomEvent(type, { detail, cancelable: true }));
  }
}
