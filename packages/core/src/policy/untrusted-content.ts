import { basename } from 'node:path';
import { DISCOVERED, type Effect } from '../effects/effect.js';
import { ApprovalMode } from './approval-mode.js';

/** What a session knows of content from strangers that its model has read. Such content may ask the model to send data out. */
export interface Untrusted {
  /** Where it came from first, in words. */
  readonly from: string;
  /** What the person has agreed to since: destinations, as `destinationOf` names them. */
  readonly agreed: ReadonlySet<string>;
  /**
   * Addresses that the person themselves set up for what is sent there: of search providers. Whoever wrote the content does not
   * read what is asked there. Only the very address: with anything behind it, it is a destination like any other.
   */
  readonly ownAddresses?: readonly string[];
}

/** The memory of one session for it. */
export class UntrustedContent {
  readonly #agreed = new Set<string>();
  readonly #ownAddresses: readonly string[];
  #from: string | undefined;

  constructor(ownAddresses: readonly string[] = []) {
    this.#ownAddresses = ownAddresses;
  }

  /** As the policy is told; undefined before any came in. */
  get state(): Untrusted | undefined {
    if (this.#from === undefined) return undefined;
    return { from: this.#from, agreed: this.#agreed, ownAddresses: this.#ownAddresses };
  }

  /** A call with these effects gave its result to the model. */
  noteResult(effects: readonly Effect[]): void {
    this.#from ??= effects.map(sourceOf).find((source) => source !== undefined);
  }

  /** The person agreed to a call with these effects, knowing what had come in. */
  noteAgreed(effects: readonly Effect[]): void {
    if (this.#from === undefined) return;
    for (const effect of effects) {
      const destination = destinationOf(effect);
      if (destination !== undefined) this.#agreed.add(destination);
    }
  }
}

/**
 * Why a call is put to the person although a rule allows it; undefined where it need not be. Whoever chose yolo is asked
 * nothing, this neither.
 */
export function untrustedReason(
  effect: Effect,
  { mode, untrusted }: { readonly mode: ApprovalMode; readonly untrusted?: Untrusted },
): string | undefined {
  if (untrusted === undefined || mode === ApprovalMode.YOLO) return undefined;
  if (effect.kind === 'fetch' && untrusted.ownAddresses?.includes(effect.url) === true) return undefined;
  const destination = destinationOf(effect);
  if (destination === undefined || untrusted.agreed.has(destination)) return undefined;
  return `it would send something to ${destination} after content of ${untrusted.from} came in, which may be what asks for it (setting web.askAfterUntrusted)`;
}

/** Whose words a result with this effect holds; undefined for what is the person's own. */
function sourceOf(effect: Effect): string | undefined {
  if (effect.kind === 'fetch') return effect.host;
  return effect.kind === 'foreign' && effect.from !== DISCOVERED ? `the server ${effect.from}` : undefined;
}

/** Where data would go, in words; undefined for what sends none. Programs that name an address state it as an effect of its own. */
function destinationOf(effect: Effect): string | undefined {
  if (effect.kind === 'fetch') return effect.host.toLowerCase();
  if (effect.kind !== 'run') return undefined;
  const [program = '', ...rest] = effect.argv;
  const sends = SENDERS.get(basename(program).replace(/\.exe$/i, ''));
  const isSent = sends !== undefined && (sends === 'always' || rest.some((word) => sends.includes(word)));
  return isSent ? `whom \`${effect.command}\` names` : undefined;
}

/** Programs that send what they are given to another machine, and by which words where not by all. */
const SENDERS: ReadonlyMap<string, 'always' | readonly string[]> = new Map<string, 'always' | readonly string[]>([
  ['ssh', 'always'],
  ['scp', 'always'],
  ['sftp', 'always'],
  ['rsync', 'always'],
  ['ftp', 'always'],
  ['lftp', 'always'],
  ['telnet', 'always'],
  ['nc', 'always'],
  ['ncat', 'always'],
  ['netcat', 'always'],
  ['socat', 'always'],
  ['mail', 'always'],
  ['sendmail', 'always'],
  ['dig', 'always'],
  ['host', 'always'],
  ['nslookup', 'always'],
  ['ping', 'always'],
  ['gh', 'always'],
  ['glab', 'always'],
  ['aws', 'always'],
  ['gcloud', 'always'],
  ['gsutil', 'always'],
  ['az', 'always'],
  ['rclone', 'always'],
  ['twine', 'always'],
  ['git', ['push', 'send-email', 'clone', 'fetch', 'pull', 'ls-remote', 'lfs']],
  ['npm', ['publish', 'login', 'adduser']],
  ['pnpm', ['publish', 'login']],
  ['yarn', ['publish', 'npm']],
  ['cargo', ['publish', 'login']],
  ['gem', ['push']],
  ['docker', ['push', 'login']],
  ['podman', ['push', 'login']],
]);
