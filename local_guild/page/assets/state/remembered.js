// What this browser remembers between visits. Storage may be full or forbidden: then nothing is remembered.

const PREFIX = "local-guild:";

export function recall(key, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

export function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // A private window without storage: the page works, it only forgets.
  }
}
