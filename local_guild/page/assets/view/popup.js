// A layer next to the thing that opened it: placed inside the window, closed by Esc, a click elsewhere or scrolling.

import { nextTick, onBeforeUnmount, onMounted, ref } from "vue";

const GAP = 6;
const MARGIN = 8;
const STOPS = "button:not(:disabled), a[href], input, textarea, [tabindex='0']";

function clamp(value, least, most) {
  return Math.max(least, Math.min(value, most));
}

export const Popup = {
  name: "ChatPopup",
  props: {
    anchor: { type: Object, required: true },
    label: { type: String, required: true },
    role: { type: String, default: "menu" },
    prefer: { type: String, default: "below" },
  },
  emits: ["close"],
  setup(props, { emit }) {
    const box = ref(null);
    const style = ref({ visibility: "hidden" });

    function place() {
      const from = props.anchor.getBoundingClientRect();
      const { offsetWidth: width, offsetHeight: height } = box.value;
      const below = from.bottom + GAP;
      const above = from.top - GAP - height;
      const fitsBelow = below + height <= innerHeight - MARGIN;
      const wanted = props.prefer === "below" ? (fitsBelow ? below : above) : above >= MARGIN ? above : below;
      style.value = {
        top: `${clamp(wanted, MARGIN, Math.max(MARGIN, innerHeight - height - MARGIN))}px`,
        left: `${clamp(from.left, MARGIN, Math.max(MARGIN, innerWidth - width - MARGIN))}px`,
      };
    }

    function close(refocus) {
      emit("close");
      if (refocus) props.anchor.focus?.();
    }

    function onPointer(event) {
      if (!box.value?.contains(event.target) && !props.anchor.contains(event.target)) close(false);
    }

    function move(step) {
      const stops = [...box.value.querySelectorAll(STOPS)];
      const at = stops.indexOf(document.activeElement);
      stops[(at + step + stops.length) % stops.length]?.focus();
    }

    function onKey(event) {
      if (event.key === "Escape") close(true);
      else if (event.key === "Tab") close(false);
      else if (event.key === "ArrowDown") move(1);
      else if (event.key === "ArrowUp") move(-1);
      else return;
      if (event.key !== "Tab") event.preventDefault();
      event.stopPropagation();
    }

    onMounted(async () => {
      document.addEventListener("pointerdown", onPointer, true);
      await nextTick();
      place();
      await nextTick();
      (box.value?.querySelector("[data-autofocus]") ?? box.value?.querySelector(STOPS))?.focus();
    });
    onBeforeUnmount(() => document.removeEventListener("pointerdown", onPointer, true));
    return { box, style, onKey };
  },
  template: `
    <Teleport to="#chat-layers">
      <div ref="box" class="popup" :role="role" :aria-label="label" :style="style" @keydown="onKey"><slot /></div>
    </Teleport>`,
};
