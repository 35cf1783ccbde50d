// The event bus a plugin gets: listeners stay until the plugin removes them, as before SiYuan 3.8.2.
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

  emit(type, detail) {
    return this.#target.dispatchEvent(new CustomEvent(type, { detail, cancelable: true }));
  }
}
