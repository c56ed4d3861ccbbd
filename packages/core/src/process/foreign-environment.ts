type Environment = Readonly<Record<string, string>>;

/** What a program needs to find its files, its programs, its language and its way out. In any case: Windows has `Path`. */
const PASSED: ReadonlySet<string> = new Set(
  [
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TEMP TMP TERM HOSTNAME',
    // That it runs below Tenon, where nobody types and colours are noise.
    'TENON NO_COLOR GIT_TERMINAL_PROMPT',
    'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY',
    'SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE',
    // Where toolchains are installed: without these the programs that choose a version find none.
    'JAVA_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN VIRTUAL_ENV PYENV_ROOT',
    'NVM_DIR VOLTA_HOME ASDF_DIR ASDF_DATA_DIR',
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT OS PROCESSOR_ARCHITECTURE NUMBER_OF_PROCESSORS COMPUTERNAME',
    'USERPROFILE USERNAME USERDOMAIN HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PUBLIC ALLUSERSPROFILE PROGRAMDATA',
    'PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432',
  ].flatMap((names) => names.split(' ')),
);
const PASSED_FAMILY = /^(?:LC|XDG)_[A-Z0-9_]+$/i;
/** Nothing of such a name passes, whatever it is listed as. */
const CREDENTIAL = /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|COOKIE|AUTH|(?:^|_)(?:API)?KEYS?(?:_|$)|^AWS_/i;

/**
 * The variables of a program that others wrote (a server of tools or of a language): of a child's (`childEnvironment`)
 * those few that programs need, nothing that looks like a credential, and what its definition adds, which wins. Pure.
 */
export function foreignEnvironment(
  child: Environment,
  added: Environment = {},
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  // Windows tells no cases apart: of two spellings it would take either.
  const spelled = (name: string): string => (platform === 'win32' ? name.toUpperCase() : name);
  const replaced = new Set(Object.keys(added).map(spelled));
  const kept = Object.entries(child).filter(([name]) => isPassed(name) && !replaced.has(spelled(name)));
  // `fromEntries` defines properties, so that a variable named `__proto__` is just a variable.
  return Object.fromEntries([...kept, ...Object.entries(added)]);
}

function isPassed(name: string): boolean {
  return (PASSED.has(name.toUpperCase()) || PASSED_FAMILY.test(name)) && !CREDENTIAL.test(name);
}
