// The tree of RFC 6962: roots that Certificate Transparency's own tests expect, and proofs that check, and that no other place passes.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  consistencyProof,
  equal,
  GrowingTree,
  inclusionProof,
  leafHash,
  provesConsistency,
  rootByInclusion,
  storedHashCount,
  storedHashIndex,
} from '../../src/log/tree/merkle.js';

const test = suite('merkle');

/** The tree over so many leaves, with its stored hashes and the root at every size. */
function treeOf(leaves: readonly Uint8Array[]) {
  const tree = new GrowingTree(0, () => new Uint8Array());
  const stored: Uint8Array[] = [];
  const roots = [tree.root()];
  for (const leaf of leaves) {
    stored.push(...tree.append(leaf));
    roots.push(tree.root());
  }
  return {
    stored,
    roots,
    read: (index: number) => stored[index] ?? new Uint8Array(),
    rootAt: (size: number) => roots[size] ?? new Uint8Array(),
  };
}

const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const reference = treeOf(inputs.map((input) => leafHash(Buffer.from(input, 'hex'))));
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
for (const [size, root] of roots.entries())
  test(`the root over the first ${size} leaves of the reference tests`, () => {
    assert.is(Buffer.from(reference.rootAt(size)).toString('hex'), root);
  });

const SIZE = 70;
const large = treeOf(Array.from({ length: SIZE }, (_, index) => leafHash(Buffer.from(`leaf ${index}`))));
const leaf = (index: number) => large.read(storedHashIndex(0, index));

test('as many hashes are stored as the count says, and the tree goes on from them', () => {
  for (let size = 0; size <= SIZE; size += 1) {
    const tree = new GrowingTree(size, large.read);
    assert.is(tree.size, size);
    assert.ok(equal(tree.root(), large.rootAt(size)));
  }
  assert.is(storedHashCount(SIZE), large.stored.length);
  assert.equal([0, 1, 2, 3, 4, 8].map(storedHashCount), [0, 1, 3, 4, 7, 15]);
});

test('every leaf is proved in every tree, and nowhere else', () => {
  for (let size = 1; size <= SIZE; size += 1)
    for (let index = 0; index < size; index += 1) {
      const path = inclusionProof(index, size, large.read);
      const root = rootByInclusion(leaf(index), index, size, path);
      assert.ok(root !== null && equal(root, large.rootAt(size)), `${index} in ${size}`);
    }
});

test('no other leaf, place, size or path passes as a proof of inclusion', () => {
  const numbers = fc
    .integer({ min: 1, max: SIZE })
    .chain((size) => fc.tuple(fc.constant(size), fc.integer({ min: 0, max: size - 1 })));
  fc.assert(
    fc.property(numbers, fc.nat(), fc.nat(), ([size, index], other, kind) => {
      const path = inclusionProof(index, size, large.read);
      const place = other % size;
      const spoilt =
        kind % 4 === 0
          ? rootByInclusion(leaf(place), index, size, path)
          : kind % 4 === 1
            ? rootByInclusion(leaf(index), place, size, path)
            : kind % 4 === 2
              ? rootByInclusion(leaf(index), index, size, path.slice(1))
              : rootByInclusion(leaf(index), index, size, [...path, leaf(place)]);
      const isSame = kind % 4 < 2 ? place === index : kind % 4 === 2 && path.length === 0;
      assert.is(spoilt !== null && equal(spoilt, large.rootAt(size)), isSame);
    }),
  );
});

test('every tree is proved to begin every larger one, and no other root passes', () => {
  for (let size = 1; size <= SIZE; size += 1)
    for (let old = 1; old <= size; old += 1) {
      const path = consistencyProof(old, size, large.read);
      const [before, after] = [
        { size: old, root: large.rootAt(old) },
        { size, root: large.rootAt(size) },
      ];
      assert.ok(provesConsistency(before, after, path), `${old} in ${size}`);
      assert.not.ok(
        provesConsistency({ ...before, root: leafHash(before.root) }, after, path),
        `wrong root of ${old} in ${size}`,
      );
      assert.not.ok(
        provesConsistency(before, { ...after, root: leafHash(after.root) }, path),
        `${old} in ${size} of a wrong root`,
      );
      assert.not.ok(provesConsistency(before, after, [...path, leaf(0)]), `${old} in ${size} with a hash too many`);
      if (path.length > 0)
        assert.not.ok(provesConsistency(before, after, path.slice(0, -1)), `${old} in ${size} with a hash too few`);
    }
});

test.run();
