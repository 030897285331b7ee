// One member's stay: the connection, what it has told us, and where the member is looking.

import { computed, shallowReactive } from "vue";
import { Gateway } from "../protocol/gateway.js";
import { Interactions } from "../protocol/interactions.js";
import { maySend, mayView, PERMISSION, permissionsIn } from "../protocol/permissions.js";
import { Rest } from "../protocol/rest.js";
import { displayName, Guilds, nameColour } from "./guilds.js";
import { notify } from "./notices.js";
import { ReadMarks } from "./read_marks.js";
import { recall, remember } from "./remembered.js";
import { applyMessageEvent, Timeline } from "./timeline.js";
import { Typists } from "./typists.js";

const TIMELINES_KEPT = 8;

export class Session {
  #timelines = new Map();
  #readTo = shallowReactive(new Map());
  #directKnown = false;

  constructor(member, world, navigation) {
    this.member = member;
    this.world = world;
    this.navigation = navigation;
    this.rest = new Rest(member.token);
    this.guilds = new Guilds(member.id);
    this.reads = new ReadMarks(member.id);
    this.typists = new Typists();
    this.state = shallowReactive({ status: "connecting", ready: false, channelId: "", modal: null, jump: null, visits: 0 });
    this.commands = shallowReactive(new Map());
    this.interactions = new Interactions(this.rest, {
      onModal: (modal) => (this.state.modal = modal),
      onFailure: () => notify("The bot did not answer in time. Try again."),
    });
    this.channel = computed(() => this.guilds.channel(this.state.channelId) ?? null);
    this.guild = computed(() => this.guilds.guildOf(this.state.channelId));
    this.title = computed(() => (this.channel.value ? this.titleOf(this.channel.value) : ""));
    this.gateway = new Gateway(member.token, {
      onDispatch: (type, data) => this.#dispatch(type, data),
      onStatus: (status) => (this.state.status = status),
    });
  }

  start() {
    this.gateway.connect();
  }

  stop() {
    this.gateway.close();
  }

  // --- where the member is looking ---

  timeline(channelId) {
    const known = this.#timelines.get(channelId);
    const timeline = known ?? new Timeline(this.rest, channelId);
    this.#timelines.delete(channelId);
    this.#timelines.set(channelId, timeline);
    if (this.#timelines.size > TIMELINES_KEPT) this.#timelines.delete(this.#timelines.keys().next().value);
    return timeline;
  }

  openChannel(channelId, messageId = null) {
    const channel = this.guilds.channel(channelId);
    this.#readTo.set(channelId, channel && this.reads.isUnread(channel) ? this.reads.marks[channelId] : null);
    this.state.channelId = channelId;
    this.state.jump = messageId ? { channelId, messageId } : null;
    const guildId = this.guilds.guildOf(channelId)?.id ?? "@me";
    remember(`channel:${this.member.id}`, channelId);
    remember(`channel:${this.member.id}:${guildId}`, channelId);
    this.navigation.show(guildId, channelId, this.member);
  }

  openGuild(guild) {
    const remembered = recall(`channel:${this.member.id}:${guild.id}`, "");
    const known = guild.channels.get(remembered);
    const channel = known && mayView(guild, known, this.member.id) ? known : this.guilds.firstChannel(guild);
    if (channel) this.openChannel(channel.id);
  }

  // Where the member had read to before opening the channel: the place of the "new" line, if there is one.
  readBefore(channelId) {
    return this.#readTo.get(channelId) ?? null;
  }

  // Looking away: what comes from here on is new on the return.
  lookAway(channelId, newestId) {
    this.#readTo.set(channelId, newestId);
  }

  markRead(channelId) {
    this.reads.markRead(channelId, this.guilds.channel(channelId)?.last_message_id);
  }

  // --- what the member may do ---

  may(permission, channel = this.channel.value) {
    const guild = this.guilds.guildOf(channel?.id);
    if (!guild) return permission !== PERMISSION.MANAGE_MESSAGES;
    return Boolean(permissionsIn(guild, channel, this.member.id) & permission);
  }

  maySendIn(channel) {
    const guild = this.guilds.guildOf(channel.id);
    return !guild || maySend(guild, channel, this.member.id);
  }

  // --- names ---

  nameOf(user, guild = this.guild.value) {
    return displayName(user, guild?.members.get(user.id));
  }

  colourOf(userId) {
    return nameColour(this.guild.value, userId);
  }

  // A direct conversation is named after the other one in it.
  titleOf(channel) {
    return channel.name || (channel.recipients ?? []).map((user) => this.nameOf(user)).join(", ") || "Direct message";
  }

  async refreshCommands(guildId) {
    try {
      this.commands.set(guildId, (await this.rest.commands(guildId)) ?? []);
    } catch {
      // Completion of commands is a convenience; without it one can still talk.
      if (!this.commands.has(guildId)) this.commands.set(guildId, []);
    }
  }

  // --- what the gateway says ---

  #dispatch(type, data) {
    if (type === "READY") this.#ready();
    if (type === "MESSAGE_CREATE" && !this.guilds.channel(data.channel_id)) void this.#findDirect(data);
    if (this.interactions.apply(type, data)) return;
    if (type === "TYPING_START") {
      if (data.user_id !== this.member.id) this.typists.started(data.channel_id, data.user_id);
      return;
    }
    const timeline = this.#timelines.get(data.channel_id);
    if (applyMessageEvent(type, data, timeline, this.member.id)) {
      if (type === "MESSAGE_CREATE") this.#arrived(data);
      return;
    }
    if (!this.guilds.apply(type, data)) return;
    if (type === "GUILD_CREATE") this.#enteredGuild(data);
    if (type === "GUILD_DELETE" && data.unavailable) notify("This guild has an outage. It comes back by itself.", "info");
    if (type === "CHANNEL_CREATE" || type === "THREAD_CREATE") this.reads.meet([data]);
    this.#stayInView();
  }

  // A fresh session may have missed anything: what is on the screen is read again, the rest when it is opened.
  #ready() {
    void this.#findDirect();
    const current = this.#timelines.get(this.state.channelId);
    this.#timelines.clear();
    if (current) this.#timelines.set(this.state.channelId, current);
    this.state.visits += 1;
  }

  // Direct conversations are not announced: they are listed on entering, and again when one speaks up.
  async #findDirect(message = null) {
    try {
      for (const channel of await this.rest.directChannels()) this.guilds.apply("CHANNEL_CREATE", channel);
    } catch (reason) {
      notify(reason.message);
    }
    this.#directKnown = true;
    this.reads.meet([...this.guilds.direct.values()].filter((one) => one.id !== message?.channel_id));
    if (message) this.#arrived(message);
    this.#stayInView();
  }

  #enteredGuild(data) {
    const guild = this.guilds.all.get(data.id);
    if (!guild) return;
    if ((data.member_count ?? 0) > guild.members.size) this.gateway.requestMembers(guild.id);
    void this.refreshCommands(guild.id);
    this.reads.meet([...guild.channels.values()]);
    this.state.ready = true;
  }

  #arrived(message) {
    this.typists.stopped(message.channel_id, message.author.id);
    if (message.flags & 64) return;
    this.guilds.noteMessage(message.channel_id, message.id);
    const mine = message.author.id === this.member.id;
    if (mine) this.reads.markRead(message.channel_id, message.id);
    else if (this.#mentionsMe(message)) this.reads.noteMention(message.channel_id);
  }

  #mentionsMe(message) {
    if (message.mention_everyone) return true;
    if ((message.mentions ?? []).some((user) => user.id === this.member.id)) return true;
    const roles = this.guilds.guildOf(message.channel_id)?.members.get(this.member.id)?.roles ?? [];
    return (message.mention_roles ?? []).some((id) => roles.includes(id));
  }

  #stayInView() {
    if (!this.state.ready) return;
    const channel = this.channel.value;
    const guild = this.guild.value;
    if (channel && (!guild || mayView(guild, channel, this.member.id))) return;
    const wanted = this.state.channelId ? null : this.navigation.wanted();
    if (wanted?.guildId === "@me" && !this.#directKnown) return;
    const followed = this.#openable(wanted?.channelId);
    if (wanted && !followed) notify("You cannot see the channel that link leads to.", "info");
    else if (this.state.channelId) notify("You can no longer see that channel.", "info");
    const target = followed ?? this.#openable(recall(`channel:${this.member.id}`, "")) ?? this.#firstOf(guild);
    if (target) this.openChannel(target, followed ? wanted.messageId : null);
    else this.state.channelId = "";
  }

  #firstOf(guild) {
    const home = guild ?? [...this.guilds.all.values()][0];
    return home ? this.guilds.firstChannel(home)?.id : null;
  }

  #openable(channelId) {
    const channel = channelId && this.guilds.channel(channelId);
    if (!channel) return null;
    const guild = this.guilds.guildOf(channelId);
    return !guild || mayView(guild, channel, this.member.id) ? channelId : null;
  }
}
