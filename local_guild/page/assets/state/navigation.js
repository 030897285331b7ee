// The address bar: which member and which channel a window shows, so that two windows can be two members.

const PLACE = /\/channels\/(@me|\d+)\/(\d+)(?:\/(\d+))?\/?$/;

export class Navigation {
  constructor(home) {
    this.home = home === "/" ? "" : home.replace(/\/$/, "");
  }

  wantedMember() {
    return new URLSearchParams(location.search).get("member");
  }

  wanted() {
    return placeIn(location.pathname);
  }

  show(guildId, channelId, member) {
    history.replaceState(history.state, "", this.link(guildId, channelId, null, member));
  }

  link(guildId, channelId, messageId, member) {
    const tail = messageId ? `/${messageId}` : "";
    const query = member ? `?member=${encodeURIComponent(member.id)}` : "";
    return `${this.home}/channels/${guildId}/${channelId}${tail}${query}`;
  }

  asMember(member) {
    return `${this.home || "/"}?member=${encodeURIComponent(member.id)}`;
  }
}

function placeIn(path) {
  const match = PLACE.exec(path);
  return match ? { guildId: match[1], channelId: match[2], messageId: match[3] ?? null } : null;
}

// A link to a message or channel of this platform is followed inside the page instead of leaving it.
export function placeOfLink(address) {
  let url;
  try {
    url = new URL(address, location.origin);
  } catch {
    return null;
  }
  const ours = url.origin === location.origin || /^(?:[a-z]+\.)?discord(?:app)?\.com$/.test(url.hostname);
  return ours ? placeIn(url.pathname) : null;
}
