import type { McpServer } from '@tenon/core';
import { writtenMention } from './mention.js';
import type { Offer, Offers } from './offer.js';
import { placeInTemplate } from './uri-template.js';

const MOST_OFFERS = 50;

interface Resource {
  readonly uri: string;
  readonly about: string;
}

interface Known {
  readonly resources: readonly Resource[];
  /** Patterns of addresses. */
  readonly templates: readonly Resource[];
}

/** Offers the resources of servers that are connected, as `@server:uri`; none is waited for or started. */
export class ResourceOffers {
  readonly #servers: () => readonly McpServer[];
  readonly #known = new Map<McpServer, Promise<Known>>();
  readonly #watched = new WeakSet<McpServer>();

  constructor(servers: () => readonly McpServer[]) {
    this.#servers = servers;
  }

  readonly find: Offers = async (typed, signal) => {
    const ready = this.#servers().filter(
      (server) => server.status().state === 'ready' && server.features()?.resources === true,
    );
    const named = ready.find(({ definition }) => typed.startsWith(`${definition.alias}:`));
    if (named !== undefined) return this.#ofServer(named, typed.slice(named.definition.alias.length + 1), signal);
    const all = await Promise.all(ready.map((server) => this.#anywhere(server, typed, signal)));
    return [...ready.flatMap((server) => serverOffer(server, typed)), ...all.flat()].slice(0, MOST_OFFERS);
  };

  /** Those whose address or name has what is typed. */
  async #anywhere(server: McpServer, typed: string, signal: AbortSignal): Promise<readonly Offer[]> {
    if (typed === '') return [];
    const { resources } = await this.#of(server, signal);
    return resources.filter((each) => has(each, typed)).flatMap((each) => offerOf(server, each.uri, each.about));
  }

  async #ofServer(server: McpServer, typed: string, signal: AbortSignal): Promise<readonly Offer[]> {
    const { resources, templates } = await this.#of(server, signal);
    const fitting = resources
      .filter((each) => has(each, typed))
      .flatMap((each) => offerOf(server, each.uri, each.about));
    const made = await Promise.all(templates.map((each) => fromTemplate(server, each, typed, signal)));
    return [...made.flat(), ...fitting].slice(0, MOST_OFFERS);
  }

  async #of(server: McpServer, signal: AbortSignal): Promise<Known> {
    if (!this.#watched.has(server)) {
      this.#watched.add(server);
      server.onChange(({ kind }) => {
        if (kind === 'resources' || kind === 'status') this.#known.delete(server);
      });
    }
    const known = this.#known.get(server) ?? listed(server);
    this.#known.set(server, known);
    void known.catch(() => this.#known.delete(server));
    signal.throwIfAborted();
    return known.catch(() => ({ resources: [], templates: [] }));
  }
}

/** Kept for later keys, and so not ended with the key that began it: the server's own time limit holds. */
async function listed(server: McpServer): Promise<Known> {
  const { signal } = new AbortController();
  const [resources, templates] = await Promise.all([
    server.listResources(signal),
    server.listResourceTemplates(signal).catch(() => ({ entries: [] })),
  ]);
  return { resources: read(resources.entries, 'uri'), templates: read(templates.entries, 'uriTemplate') };
}

function read(entries: readonly Readonly<Record<string, unknown>>[], key: 'uri' | 'uriTemplate'): readonly Resource[] {
  return entries.flatMap((entry) => {
    const uri = entry[key];
    const about = entry['title'] ?? entry['name'];
    return typeof uri === 'string' && uri !== '' ? [{ uri, about: typeof about === 'string' ? about : '' }] : [];
  });
}

function has({ uri, about }: Resource, typed: string): boolean {
  const wanted = typed.toLowerCase();
  return uri.toLowerCase().includes(wanted) || about.toLowerCase().includes(wanted);
}

function serverOffer({ definition: { alias } }: McpServer, typed: string): readonly Offer[] {
  if (typed === '' || !alias.toLowerCase().startsWith(typed.toLowerCase())) return [];
  return [{ insert: `@${alias}:`, label: `${alias}:`, detail: 'resources of this server', goesOn: true }];
}

function offerOf({ definition: { alias } }: McpServer, uri: string, detail: string, goesOn = false): readonly Offer[] {
  const mention = `${alias}:${uri}`;
  // What goes on is not yet what it will be found as.
  const insert = goesOn && !/[\s"\\]/.test(mention) ? `@${mention}` : writtenMention(mention);
  return insert === undefined ? [] : [{ insert, label: mention, detail, goesOn }];
}

/** What may come next in addresses of that form: what the server says, where it completes. */
async function fromTemplate(
  server: McpServer,
  { uri: template, about }: Resource,
  typed: string,
  signal: AbortSignal,
): Promise<readonly Offer[]> {
  const place = placeInTemplate(template, typed);
  if (place === undefined) return [];
  if (place.kind === 'text') {
    const [offer] = offerOf(server, place.done, about, place.done !== template);
    return offer === undefined || place.done === typed
      ? []
      : [{ ...offer, label: `${server.definition.alias}:${template}` }];
  }
  if (server.features()?.completions !== true) return [];
  const request = {
    ref: { type: 'ref/resource', uri: template },
    argument: { name: place.name, value: place.typed },
    context: place.before,
  } as const;
  const values = await server.complete(request, signal).catch((): readonly string[] => []);
  return values.flatMap((value) => offerOf(server, place.complete(value), about, !place.isLast));
}
