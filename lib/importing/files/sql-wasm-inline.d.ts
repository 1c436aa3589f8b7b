/** The build of sql.js that contains its WebAssembly; its types are those of the package. */
declare module 'sql.js/dist/sql-wasm-inline.js' {
  export { default } from 'sql.js';
}
