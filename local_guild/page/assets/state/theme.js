// Light, dark, or as the system says; applied to the whole document so that scrollbars and dialogs follow.

import { ref, watchEffect } from "vue";
import { recall, remember } from "./remembered.js";

export const THEMES = {
  system: { icon: "half", label: "Colours: as the system. Switch to light", next: "light" },
  light: { icon: "sun", label: "Colours: light. Switch to dark", next: "dark" },
  dark: { icon: "moon", label: "Colours: dark. Switch to the system's", next: "system" },
};

const saved = recall("theme", "system");
export const theme = ref(saved in THEMES ? saved : "system");

export function nextTheme() {
  theme.value = THEMES[theme.value].next;
  remember("theme", theme.value);
}

export function followTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const dark = ref(system.matches);
  system.addEventListener("change", (event) => (dark.value = event.matches));
  watchEffect(() => {
    const shown = theme.value === "system" ? (dark.value ? "dark" : "light") : theme.value;
    document.documentElement.dataset.theme = shown;
  });
}
