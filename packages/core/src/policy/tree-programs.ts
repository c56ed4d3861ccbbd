import { programName } from './programs.js';

/** What rules on paths speak of: reading, changing, or (a rule on a tool) both. */
export type PathUse = 'read' | 'change' | 'both';

interface Row {
  readonly programs: string;
  /** Only with this option or subcommand among the arguments. */
  readonly when?: RegExp;
  readonly does: PathUse;
  readonly reason: string;
}

/** Programs that go through a whole tree of files, also where no path is named. */
const ROWS: readonly Row[] = [
  { programs: 'rg ag ack ack-grep ugrep ug', does: 'read', reason: 'search the working folder when no path is given' },
  {
    programs: 'grep egrep fgrep',
    when: /^(?:-[^-]*[rRd].*|--(?:r|de|di).*)$/,
    does: 'read',
    reason: 'search all below',
  },
  { programs: 'zgrep bzgrep xzgrep', when: /^-[^-]*[rR]/, does: 'read', reason: 'search all below' },
  { programs: 'git', when: /^(?:grep|archive)$/, does: 'read', reason: 'search or pack the whole work tree' },
  { programs: 'find fd fdfind tree du ncdu', does: 'read', reason: 'list the working folder when no path is given' },
  { programs: 'ls dir vdir', when: /^(?:-[^-]*R.*|--rec.*)$/, does: 'read', reason: 'list all below' },
  { programs: 'cloc scc tokei ctags etags cscope', does: 'read', reason: 'read every source file below' },
  { programs: 'diff', when: /^(?:-[^-]*r.*|--rec.*)$/, does: 'read', reason: 'compares all below' },
  { programs: 'tar bsdtar gtar cpio pax 7z 7za 7zr', does: 'both', reason: 'pack and unpack whole trees' },
  { programs: 'zip', when: /^(?:-[^-]*[rR].*|--rec.*)$/, does: 'both', reason: 'packs all below' },
  { programs: 'unzip unar', does: 'change', reason: 'unpack into the working folder' },
  { programs: 'rsync rclone mv', does: 'both', reason: 'carry whole trees' },
  { programs: 'cp scp', when: /^(?:-[^-]*[aRr].*|--(?:r|ar).*)$/, does: 'both', reason: 'copy whole trees' },
  {
    programs: 'rm chmod chown chgrp setfacl chattr',
    when: /^(?:-[^-]*[rR].*|--rec.*)$/,
    does: 'change',
    reason: 'change all below what they are given',
  },
];

/** True when the command goes through everything below the paths it is given, or below where it runs. */
export function goesThroughTree([program = '', ...args]: readonly string[], use: PathUse): boolean {
  const name = programName(program);
  return ROWS.some(
    ({ programs, when, does }) =>
      (use === does || use === 'both' || does === 'both') &&
      programs.split(' ').includes(name) &&
      (when === undefined || args.some((word) => when.test(word))),
  );
}
