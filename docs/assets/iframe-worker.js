/* Search on pages that are opened from a disk (file://), where browsers allow no
   workers: the script of the worker runs in a hidden frame instead. Other pages use
   the worker of the browser. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      const script = new URL(url, location.href).href.replaceAll('"', "%22");
      // In the frame, postMessage speaks to us; messages to it are its own events.
      frame.srcdoc =
        "<script>window.postMessage = m => parent.dispatchEvent(" +
        "new CustomEvent('frame-message', {detail: m}))</" + "script>" +
        `<script src="${script}"></` + "script>";
      window.addEventListener("frame-message", ({ detail }) => {
        const event = new MessageEvent("message", { data: detail });
        this.onmessage?.(event);
        this.dispatchEvent(event);
      });
      frame.addEventListener("load", () => {
        this.frame = frame.contentWindow;
        this.waiting.splice(0).forEach(message => this.postMessage(message));
      });
      const append = () => document.body.append(frame);
      if (document.body) append();
      else document.addEventListener("DOMContentLoaded", append);
    }
    postMessage(data) {
      if (!this.frame) this.waiting.push(data);
      else this.frame.dispatchEvent(new this.frame.MessageEvent("message", { data }));
    }
    terminate() {
      this.frame?.frameElement.remove();
    }
  };
}
