import type { SearchProviderName } from './provider-table.js';

export interface SearchRequest {
  readonly query: string;
  /** How many results are wanted at most, from 1. */
  readonly limit: number;
}

/** A provider as it is used. */
export interface ProviderAccess {
  readonly name: SearchProviderName;
  /** For people. */
  readonly label: string;
  /** Without user, query, fragment and a slash at its end. */
  readonly baseUrl: string;
  /** A secret; undefined where none is needed. */
  readonly apiKey?: string;
  /** The variable that the key is from. */
  readonly keyVariable?: string;
  /** Of the header `Authorization`, of an address with user and password. A secret. */
  readonly authorization?: string;
  /** Google's `cx`. */
  readonly engineId?: string;
  /** How many results where the call does not say. */
  readonly usualResults?: number;
  /** Parameters of the provider's own API, as written in the settings. */
  readonly options: Readonly<Record<string, unknown>>;
}

export interface ProviderRequest {
  readonly method: 'GET' | 'POST';
  /** May hold a secret. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A result as the provider gives it: nothing of it is checked. */
export interface RawHit {
  readonly title: unknown;
  readonly url: unknown;
  readonly snippet: unknown;
  readonly date?: unknown;
}

/** What keeps a search from being answered: the key, what was paid for, too many at a time, the question, the set-up, the server. */
export type TroubleKind = 'key' | 'quota' | 'rate' | 'request' | 'setup' | 'down';

export interface SearchTrouble {
  readonly kind: TroubleKind;
  /** What the person may do, a sentence; default by kind. */
  readonly advice?: string;
}

export type ProviderAnswer =
  | {
      readonly hits: readonly RawHit[];
      /** What else is to be known of the answer, as sentences of ours; they may hold words of the provider. */
      readonly notes?: readonly string[];
    }
  | { readonly trouble: SearchTrouble }
  /** It is not of the form that the provider documents. */
  | undefined;

/** An answer with another status than 2xx; `body` undefined where it is no JSON. */
export interface Refused {
  readonly status: number;
  readonly body: unknown;
}

/** One provider's API. Pure. */
export interface ProviderMapping {
  request(asked: SearchRequest, access: ProviderAccess): ProviderRequest;
  /** Of a body with status 2xx. */
  read(body: unknown): ProviderAnswer;
  /** What a refusal means where its status alone does not say it. */
  trouble?(refused: Refused): SearchTrouble | undefined;
}

/** A result, safe to be shown to a model: texts on one line each, without markup and without invisible characters. */
export interface SearchHit {
  readonly title: string;
  /** Of http or https. */
  readonly url: string;
  readonly snippet: string;
  /** A day (`2026-10-02`) where the provider's words can be read as one, else those words. */
  readonly date?: string;
}

export interface SearchAnswer {
  readonly provider: SearchProviderName;
  readonly label: string;
  readonly hits: readonly SearchHit[];
  readonly notes: readonly string[];
}
