import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { treeOf } from '../test/make-log.ts';
import { sha256 } from './hashes.ts';
import { growTree, rootByPath } from './tree.ts';

const digestsOf = (count: number) => Array.from({ length: count }, (_, at) => sha256(`${at}`));

test('a tree that grows leaf by leaf has the roots of the definition in RFC 6962', () => {
  const tree = growTree();
  assert.equal(tree.root(), undefined);
  const digests = digestsOf(130);
  for (const [at, digest] of digests.entries()) {
    tree.add(digest);
    assert.deepEqual(tree.root(), treeOf(digests.slice(0, at + 1)).root, `${at + 1} leaves`);
  }
  tree.clear();
  tree.add(digests[0] as Buffer);
  assert.deepEqual(tree.root(), treeOf(digests.slice(0, 1)).root);
});

test('the known trees of Certificate Transparency have their known roots', () => {
  // Leaves and roots shared by implementations of RFC 6962. There a raw leaf is hashed, here a digest.
  const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
  const roots = [
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];
  const tree = growTree();
  for (const [at, leaf] of leaves.entries()) {
    tree.add(Buffer.from(leaf, 'hex'));
    assert.equal(tree.root()?.toString('hex'), roots[at]);
  }
});

test('a path leads to the root from its own place, and from no other', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), (size, atLeaf, elsewhere) => {
      const digests = digestsOf(size);
      const { root, path: pathOf } = treeOf(digests);
      const [index, other] = [atLeaf % size, elsewhere % size];
      const path = pathOf(index);
      const digest = digests[index] as Buffer;
      assert.deepEqual(rootByPath({ digest, index, size, path }), root);
      if (other !== index) assert.notDeepEqual(rootByPath({ digest, index: other, size, path }), root);
      assert.notDeepEqual(rootByPath({ digest: sha256('x'), index, size, path }), root);
      if (size > 1) assert.notDeepEqual(rootByPath({ digest, index, size, path: path.slice(1) }), root);
      assert.notDeepEqual(rootByPath({ digest, index, size, path: [...path, root] }), root);
      for (const wrong of [-1, size]) assert.equal(rootByPath({ digest, index: wrong, size, path }), undefined);
    }),
  );
});
