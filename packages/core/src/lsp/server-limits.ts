/** Milliseconds. */
export interface ServerLimits {
  readonly startup: number;
  readonly request: number;
  /** For the server to load the project, before it is asked for the first time. */
  readonly load: number;
  readonly shutdown: number;
}

export const SERVER_LIMITS: ServerLimits = { startup: 45_000, request: 30_000, load: 60_000, shutdown: 2_000 };
