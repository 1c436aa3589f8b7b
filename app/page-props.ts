/** What Next passes to a page: the dynamic parts of its path, and its query. */
export type PageProps<Part extends string = never> = {
  params: Promise<Record<Part, string>>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};
