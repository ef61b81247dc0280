/** dist/compile-rare.cjs: what compiling a gate needs only for rarer files and patterns; src/hook/rare.ts starts it. */
export { readJson } from '../policy/read/json.js';
export { readToml } from '../policy/read/toml.js';
export { readYaml } from '../policy/read/yaml.js';
export { globSource } from '../rule/path/glob-source.js';
