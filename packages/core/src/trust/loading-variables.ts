const LOADING =
  /^(NODE_OPTIONS|NODE_PATH|LD_\w+|DYLD_\w+|PYTHON(PATH|STARTUP|HOME)|PERL5(OPT|LIB)|RUBY(OPT|LIB)|JAVA_TOOL_OPTIONS|PATH|BASH_ENV|ENV)$/;

/** Whether a variable's value names code that a program loads: whoever agrees to it must see it. */
export function decidesWhatIsLoaded(name: string): boolean {
  return LOADING.test(name);
}
