/**
 * Why nothing can be run: what is built is not from these sources, or for another major version of Node.js, and this user cannot build it.
 * @param {string} root
 * @param {{ builtFor: string | undefined, node: string }} versions majors: `builtFor` is in the stamp of the last build, if there is one
 */
export function explainNotBuilt(root, { builtFor, node }) {
  const why =
    builtFor !== undefined && builtFor !== node
      ? `Pharos was built for Node.js ${builtFor}, and this is Node.js ${node}. It must be built again`
      : 'Pharos is not built';
  return `${why}, and this user cannot write to ${root}: run "npm run build" as its owner first.`;
}
