/** A folder in an extension: a folder that brings skills, agents and more together. */
export interface ExtensionPlace {
  /** Of the extension. */
  readonly extension: string;
  /** Whose it is: the person's own in every project, or that of a project. */
  readonly origin: 'user' | 'project';
  /** Canonical. */
  readonly folder: string;
  /** Canonical folder that all of it must really lie in. */
  readonly within: string;
}
