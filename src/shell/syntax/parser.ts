/**
 * The only import of the shell parser (unbash 6.0.4, pinned). Its tree is tolerant: it never throws on bad input, attaches its errors to
 * every nested script, and resolves word parts and nested scripts lazily; so nodes are visited with `forEachChild`, never by their keys.
 */
export type {
  Assignment,
  Case,
  Command,
  CommandNode,
  CompoundCommand,
  CompoundList,
  HereDoc,
  If,
  ParsedScript,
  Pipeline,
  Redirection,
  Statement,
  SyntaxNode,
  Word,
} from 'unbash';
export { forEachChild, parse } from 'unbash';
