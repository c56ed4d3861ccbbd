import { under } from './row.js';

/** Names, cases and separators that mean the same somewhere. */
export const WINDOWS = [
  under('denyRm', 'yolo', [
    ['RM a.txt', 'deny', '', 'claude-code: case does not count everywhere'],
    ['rm.exe a.txt', 'deny', '', 'the ending of programs'],
    ['/c/bin/RM.EXE a.txt', 'deny', '', 'with a path'],
    ["'C:\\bin\\rm.exe' a.txt", 'never allow', '', 'with a path of backslashes'],
    ['cmd.exe /c "rm a.txt"', 'never allow', '', 'another shell'],
    ['powershell -Command "rm a.txt"', 'never allow', '', 'another shell'],
    ['pwsh -EncodedCommand cgBtAA==', 'never allow', '', 'another shell, in disguise'],
    ['wsl rm a.txt', 'never allow', '', 'another system'],
  ]),
  under('denySecrets', 'yolo', [
    ['cat .Env', 'deny', '', 'CVE-2025-59944: case does not count everywhere'],
    ['cat SECRET/key', 'deny', '', 'CVE-2025-59944: case does not count everywhere'],
    ['cat ".env."', 'never allow', '', 'a dot at the end falls away there'],
    ['cat ".env "', 'never allow', '', 'a blank at the end falls away there'],
    ["cat '.env::$DATA'", 'never allow', '', 'a stream of the same file there'],
    ['cat KEY.PEM', 'deny', '', 'CVE-2025-59944: case does not count everywhere'],
  ]),
  under('allowEverything', 'yolo', [
    ['echo x > .Git/Config', 'ask', '', 'CVE-2025-59944: case does not count everywhere'],
    ['echo x > GIT~1/config', 'ask', '', 'the short name of .git'],
    ['echo x > .git./config', 'ask', '', 'a dot at the end falls away there'],
    ["echo x > '.git /config'", 'ask', '', 'a blank at the end falls away there'],
    ["echo x > '.git::$INDEX_ALLOCATION/config'", 'ask', '', 'a stream of the same folder there'],
    ["echo x > '.g\u200cit/config'", 'ask', '', 'a letter that HFS+ does not see'],
    ['echo x > .ｇit/config', 'ask', '', 'a letter that looks and folds alike'],
    [
      'echo x > "$APPDATA/Microsoft/Windows/Start Menu/Programs/Startup/x.bat"',
      'ask',
      '',
      'programs that start with the system',
    ],
  ]),
  under('none', 'default', [
    ['LS', 'never allow', '', 'another program where case counts'],
    ['ls.exe', 'never allow', '', 'another program where the ending counts'],
    ['powershell -Command Get-ChildItem', 'ask', '', 'another shell'],
    ['cmd /c dir', 'ask', '', 'another shell'],
    ['Get-ChildItem', 'ask', '', 'a command of another shell'],
    ['del a.txt', 'ask', '', 'a command of another shell'],
  ]),
];
