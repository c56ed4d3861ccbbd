/** Where the administrator of a machine keeps the settings that nobody on it can loosen. */
export interface ManagedPlace {
  /** Absolute. */
  readonly file: string;
  /** The id of the one user who may own and write the file and its folder. Undefined: the system does not tell. */
  readonly owner: number | undefined;
}

const ROOT = 0;

/**
 * The place is fixed for each system. No variable of the environment moves it, `ProgramData` neither: whoever starts Tenon
 * sets those.
 */
export function managedPlace(platform: string = process.platform): ManagedPlace {
  if (platform === 'win32') return { file: 'C:\\ProgramData\\Tenon\\settings.json', owner: undefined };
  const folder = platform === 'darwin' ? '/Library/Application Support/Tenon' : '/etc/tenon';
  return { file: `${folder}/settings.json`, owner: ROOT };
}
