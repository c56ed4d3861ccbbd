import { Failure } from '../../util/failure.js';
import { nearestNames } from '../../util/nearest-names.js';
import { createGlobMatcher, type GlobMatcher } from './glob-match.js';

/** Kinds of files by the names that ripgrep's `--type` has for them; the globs are for the last name of a path. */
export const FILE_TYPES: Readonly<Record<string, string>> = {
  asciidoc: '*.adoc *.asc *.asciidoc',
  asm: '*.S *.asm *.s',
  awk: '*.awk',
  bat: '*.bat',
  bazel: '*.BUILD *.bazel *.bazelrc *.bzl BUILD MODULE.bazel WORKSPACE WORKSPACE.bazel WORKSPACE.bzlmod',
  c: '*.[chH] *.[chH].in *.cats',
  clojure: '*.clj *.cljc *.cljs *.cljx',
  cmake: '*.cmake CMakeLists.txt',
  coffeescript: '*.coffee',
  config: '*.cfg *.conf *.config *.ini',
  cpp: '*.[ChH] *.[ChH].in *.[ch]pp *.[ch]pp.in *.[ch]xx *.[ch]xx.in *.cc *.cc.in *.hh *.hh.in *.inl',
  cs: '*.cs',
  css: '*.css *.scss',
  csv: '*.csv',
  cuda: '*.cu *.cuh',
  dart: '*.dart',
  diff: '*.diff *.patch',
  docker: '*Dockerfile*',
  elisp: '*.el',
  elixir: '*.eex *.ex *.exs *.heex *.leex *.livemd',
  elm: '*.elm',
  erlang: '*.erl *.hrl',
  fish: '*.fish',
  fortran: '*.F *.F77 *.F90 *.F95 *.f *.f77 *.f90 *.f95 *.pfo',
  fsharp: '*.fs *.fsi *.fsx',
  go: '*.go',
  gradle: '*.gradle *.gradle.kts gradle-wrapper.* gradle.properties gradlew gradlew.bat',
  graphql: '*.graphql *.graphqls',
  groovy: '*.gradle *.groovy',
  h: '*.h *.hh *.hpp',
  haskell: '*.c2hs *.cpphs *.hs *.hsc *.lhs',
  html: '*.ejs *.htm *.html',
  java: '*.java *.jsp *.jspx *.properties',
  jinja: '*.j2 *.jinja *.jinja2',
  js: '*.cjs *.js *.jsx *.mjs *.vue',
  json: '*.json *.sarif composer.lock',
  jsonl: '*.jsonl',
  julia: '*.jl',
  jupyter: '*.ipynb *.jpynb',
  kotlin: '*.kt *.kts',
  less: '*.less',
  lua: '*.lua',
  make: '*.mak *.mk Makefile.* [Gg][Nn][Uu]makefile [Gg][Nn][Uu]makefile.am [Gg][Nn][Uu]makefile.in [Mm]akefile [Mm]akefile.am [Mm]akefile.in',
  markdown: '*.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn',
  nim: '*.nim *.nimble *.nimf *.nims',
  nix: '*.nix',
  objc: '*.h *.m',
  ocaml: '*.ml *.mli *.mll *.mly',
  org: '*.org *.org_archive',
  perl: '*.PL *.perl *.pl *.plh *.plx *.pm *.t',
  php: '*.php *.php3 *.php4 *.php5 *.php7 *.php8 *.pht *.phtml',
  protobuf: '*.proto',
  ps: '*.cdxml *.ps1 *.ps1xml *.psd1 *.psm1',
  py: '*.py *.pyi',
  r: '*.R *.Rmd *.Rnw *.r *.rmd *.rnw',
  rst: '*.rst',
  ruby: '*.gemspec *.rake *.rb *.rbw .irbrc Gemfile Rakefile config.ru',
  rust: '*.rs',
  sass: '*.sass *.scss',
  scala: '*.sbt *.scala',
  sh: '*.bash *.bashrc *.csh *.cshrc *.env *.ksh *.kshrc *.sh *.tcsh *.zsh .bash_login .bash_logout .bash_profile .bashrc .cshrc .env .kshrc .login .logout .profile .tcshrc .zlogin .zlogout .zprofile .zshenv .zshrc bash_login bash_logout bash_profile bashrc profile zlogin zlogout zprofile zshenv zshrc',
  solidity: '*.sol',
  sql: '*.psql *.sql',
  svelte: '*.svelte *.svelte.ts',
  svg: '*.svg',
  swift: '*.swift',
  tex: '*.bib *.cls *.dtx *.ins *.ltx *.sty *.tex',
  tf: '*.terraform.lock.hcl *.terraformrc *.tf *.tf.json *.tfrc *.tfvars *.tfvars.json terraform.rc',
  thrift: '*.thrift',
  toml: '*.toml Cargo.lock',
  ts: '*.cts *.mts *.ts *.tsx',
  txt: '*.txt',
  vim: '*.vim .gvimrc .vimrc _gvimrc _vimrc gvimrc vimrc',
  vue: '*.vue',
  xml: '*.dtd *.rng *.sch *.xhtml *.xjb *.xml *.xml.dist *.xsd *.xsl *.xslt',
  yaml: '*.yaml *.yml',
  zig: '*.zig',
};

/** Other names for them: those that ripgrep knows too, then those that people use. */
export const FILE_TYPE_ALIASES: Readonly<Record<string, string>> = {
  csharp: 'cs',
  md: 'markdown',
  typescript: 'ts',
  bash: 'sh',
  'c++': 'cpp',
  golang: 'go',
  javascript: 'js',
  jsx: 'js',
  kt: 'kotlin',
  python: 'py',
  rb: 'ruby',
  rs: 'rust',
  tsx: 'ts',
  yml: 'yaml',
};

/** Judges paths by the kind of file. @throws Failure `invalid_tool_params` for an unknown one, with the nearest names */
export function createTypeFilter(type: string): GlobMatcher {
  const name = FILE_TYPE_ALIASES[type] ?? type;
  const globs = Object.hasOwn(FILE_TYPES, name) ? FILE_TYPES[name] : undefined;
  if (globs === undefined) throw unknownType(type);
  const matchers = globs.split(' ').map((glob) => createGlobMatcher(glob, { anyDepth: true }));
  return (path) => matchers.some((matches) => matches(path));
}

function unknownType(type: string): Failure {
  const known = [...Object.keys(FILE_TYPES), ...Object.keys(FILE_TYPE_ALIASES)];
  const nearest = nearestNames(type, known, { most: 3 });
  const advice =
    nearest.length === 0
      ? 'Known are, among others: ts, js, py, go, rust, java, cpp, md, json, yaml'
      : `Did you mean ${nearest.join(', ')}`;
  return new Failure(
    'invalid_tool_params',
    `Unknown file type: ${type}. ${advice}${nearest.length === 0 ? '.' : '?'} Or use glob.`,
  );
}
