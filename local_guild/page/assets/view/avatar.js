// Avatars are drawn, not fetched: initials on a colour that follows from the id.

import { computed, h } from "vue";

const COLOURS = 10;

function initials(name) {
  const words = name.trim().split(/[\s_.-]+/u).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0] ?? "?"];
  return letters.map((word) => [...word][0].toUpperCase()).join("");
}

// Ids made in one go differ in their last digits only, so every digit has a say.
function colourOf(id) {
  let mixed = 7;
  for (const digit of id) mixed = (mixed * 31 + digit.charCodeAt(0)) % 99_991;
  return mixed % COLOURS;
}

export const Avatar = {
  name: "ChatAvatar",
  props: { id: { type: String, required: true }, name: { type: String, required: true }, bot: Boolean },
  setup(props) {
    const colour = computed(() => colourOf(props.id));
    return () =>
      h(
        "span",
        { class: ["avatar", `avatar-${colour.value}`, { "avatar-bot": props.bot }], "aria-hidden": "true" },
        initials(props.name),
      );
  },
};
