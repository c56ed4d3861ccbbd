// As much of highlight.js as is used here. Its own types bring those of browsers into the whole program.

export interface HLJSApi {
  newInstance(): HLJSApi;
  registerLanguage(name: string, language: LanguageFn): void;
  getLanguage(name: string): object | undefined;
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals?: boolean },
  ): {
    readonly value: string;
  };
}

export type LanguageFn = (api: HLJSApi) => object;
