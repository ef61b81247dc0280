// What a machine shows of a container or a virtual machine, read from the files of a made-up one.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readMachine } from '../../../src/audit/isolation/machine.js';
import { type DeclaredIsolation, seenIsolation } from '../../../src/audit/isolation/signs.js';
import { scratch } from '../../cli/spawned.js';

const HEX = '0123456789abcdef'.repeat(4);
const DESKTOP = {
  'proc/version': 'Linux version 6.8.0-45-generic (buildd@lcy02) (gcc 13) #45-Ubuntu SMP\n',
  'proc/cpuinfo': 'processor\t: 0\nflags\t\t: fpu vme avx2\n',
  'proc/1/cgroup': '0::/init.scope\n',
  'proc/self/cgroup': '0::/user.slice/user-1000.slice/user@1000.service/app.slice/docker.service\n',
  'proc/self/mountinfo': `29 1 8:1 / / rw - ext4 /dev/sda1 rw\n88 29 0:50 / /var/lib/docker/overlay2/${HEX}/merged rw - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/A:B\n`,
  'sys/class/dmi/id/sys_vendor': 'LENOVO\n',
  'sys/class/dmi/id/product_name': '20XW004AGE\n',
};

const seen = (
  declared: DeclaredIsolation,
  files: Readonly<Record<string, string>>,
  { platform = 'linux' as NodeJS.Platform, environment = {} } = {},
) => {
  const root = scratch(files);
  for (const program of Object.keys(files).filter((path) => path.startsWith('usr/sbin/'))) chmodSync(join(root, program), 0o755);
  return seenIsolation(declared, readMachine(root, platform, environment));
};

const containers: readonly (readonly [what: string, files: Readonly<Record<string, string>>])[] = [
  ['Docker', { '.dockerenv': '' }],
  ['Podman', { 'run/.containerenv': '' }],
  ['Kubernetes with an account', { 'var/run/secrets/kubernetes.io/serviceaccount/token': 'x' }],
  ['Docker, by its control group', { 'proc/1/cgroup': `12:pids:/docker/${HEX}\n` }],
  ['Docker below systemd', { 'proc/self/cgroup': `0::/system.slice/docker-${HEX}.scope\n` }],
  ['Kubernetes, by its control group', { 'proc/1/cgroup': '5:cpu:/kubepods/besteffort/pod1/x\n' }],
  ['LXC', { 'proc/1/cgroup': '1:name=systemd:/lxc.payload.box/init.scope\n' }],
  ['LXC that systemd knows', { 'run/systemd/container': 'lxc\n' }],
  ['systemd-nspawn', { 'run/host/container-manager': 'systemd-nspawn\n' }],
  ['systemd-nspawn, as root', { 'proc/1/environ': 'PATH=/bin\0container=systemd-nspawn\0' }],
  [
    'a pod without account and control groups',
    { 'proc/self/mountinfo': '700 690 8:1 /var/lib/kubelet/pods/1-2/etc-hosts /etc/hosts rw - ext4 /dev/sda1 rw\n' },
  ],
  [
    'a root of layers',
    {
      'proc/self/mountinfo':
        '690 600 0:60 / / rw,relatime - overlay overlay rw,lowerdir=/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/1/fs\n',
    },
  ],
  ['gVisor', { 'proc/version': 'Linux version 4.4.0 #1 SMP Sun Jan 10 15:06:54 PST 2016\n' }],
];
for (const [what, files] of containers)
  test(`a sign of a container: ${what}`, () => {
    const found = seen('container', { ...DESKTOP, ...files });
    assert.is(found.state, 'seen');
    assert.ok(
      found.state === 'seen' && Object.keys(files).some((path) => found.sign.what.startsWith(`/${path.split('/token')[0]} (`)),
    );
  });

const machines: readonly (readonly [what: string, files: Readonly<Record<string, string>>])[] = [
  ['VMware', { 'sys/class/dmi/id/product_name': 'VMware20,1\n', 'sys/class/dmi/id/sys_vendor': 'VMware, Inc.\n' }],
  ['QEMU', { 'sys/class/dmi/id/sys_vendor': 'QEMU\n' }],
  [
    'Hyper-V and Azure',
    { 'sys/class/dmi/id/sys_vendor': 'Microsoft Corporation\n', 'sys/class/dmi/id/product_name': 'Virtual Machine\n' },
  ],
  ['EC2', { 'sys/class/dmi/id/sys_vendor': 'Amazon EC2\n', 'sys/class/dmi/id/product_name': 'm7i.large\n' }],
  ['Firecracker, which has no firmware', { 'proc/cpuinfo': 'flags\t\t: fpu hypervisor lahf_lm\n' }],
  ['KVM on ARM', { 'proc/device-tree/compatible': 'linux,dummy-virt\0' }],
  ['Xen on ARM', { 'proc/device-tree/hypervisor/compatible': 'xen,xen-4.17\0' }],
  ['a guest of Xen', { 'sys/hypervisor/type': 'xen\n', 'proc/xen/capabilities': '\n' }],
];
for (const [what, files] of machines)
  test(`a sign of a virtual machine: ${what}`, () => assert.is(seen('vm', { ...DESKTOP, ...files }).state, 'seen'));

const others: readonly (readonly [
  what: string,
  declared: DeclaredIsolation,
  files: Readonly<Record<string, string>>,
  why: RegExp,
])[] = [
  ['a desktop with Docker on it', 'container', {}, /no sign of a container/],
  ['a desktop', 'vm', {}, /no sign of a virtual machine/],
  ['a virtual machine', 'container', { 'proc/cpuinfo': 'flags\t: hypervisor\n' }, /no sign of a container/],
  ['a container', 'vm', { '.dockerenv': '' }, /no sign of a virtual machine/],
  ['a laptop of Microsoft', 'vm', { 'sys/class/dmi/id/sys_vendor': 'Microsoft Corporation\n' }, /no sign/],
  [
    'a whole machine of EC2',
    'vm',
    { 'sys/class/dmi/id/sys_vendor': 'Amazon EC2\n', 'sys/class/dmi/id/product_name': 'c5.metal\n' },
    /no sign/,
  ],
  ['the first domain of Xen', 'vm', { 'sys/hypervisor/type': 'xen\n', 'proc/xen/capabilities': 'control_d\n' }, /no sign/],
  [
    'WSL, whose processor says that it is virtual',
    'vm',
    { 'proc/version': 'Linux version 5.15.90.1-microsoft-standard-WSL2\n', 'proc/cpuinfo': 'flags\t: hypervisor\n' },
    /Windows Subsystem for Linux/,
  ],
  ['WSL with systemd', 'container', { 'run/systemd/container': 'wsl\n', 'proc/1/environ': 'container=wsl\0' }, /no sign/],
];
for (const [what, declared, files, why] of others)
  test(`no sign of ${declared}: ${what}`, () => {
    const found = seen(declared, { ...DESKTOP, ...files });
    assert.is(found.state, 'unseen');
    assert.match('why' in found ? found.why : '', why);
  });

test('a variable that anybody can set is named and proves nothing', () => {
  const found = seen('container', DESKTOP, { environment: { CODESPACES: 'true' } });
  assert.is(found.state, 'unseen');
  assert.match('why' in found ? found.why : '', /Only the variable CODESPACES/);
});

const posix = process.platform === 'win32' ? test.skip : test;
for (const [answer, state] of [
  ['1', 'seen'],
  ['0', 'unseen'],
] as const)
  posix(`macOS answers ${answer}: a virtual machine is ${state}`, () => {
    const files = { 'usr/sbin/sysctl': `#!/bin/sh\n[ "$*" = "-n kern.hv_vmm_present" ] && echo ${answer}\n` };
    assert.is(seen('vm', files, { platform: 'darwin' }).state, state);
    assert.is(seen('container', files, { platform: 'darwin' }).state, 'unseen');
  });

test('a system of which no sign is known', () => {
  assert.is(seen('vm', {}, { platform: 'win32' }).state, 'untold');
  assert.is(seen('container', { '.dockerenv': '' }, { platform: 'freebsd' }).state, 'seen');
});

test.run();
