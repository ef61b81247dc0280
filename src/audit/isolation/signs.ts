/** Signs on a machine of the isolation that a policy declares. Pure: the facts are read elsewhere (machine.ts). */
import type { Isolation } from '../../policy/policy.js';
import type { ExistingPlace, MachineFacts, ReadPlace } from './machine.js';

/** A sign of a container or a virtual machine. */
export interface Sign {
  /** Completes "This machine shows a sign of a container: …". */
  readonly what: string;
  /** A command that shows the sign again. */
  readonly command: string;
}

export type DeclaredIsolation = Exclude<Isolation, 'none'>;

/** The sign that the machine shows; without a sign the reason why, as whole sentences. */
export type Seen =
  | { readonly state: 'seen'; readonly sign: Sign }
  /** `unseen`: there would be a sign. `untold`: no sign is known on this system. */
  | { readonly state: 'unseen' | 'untold'; readonly why: string; readonly command: string };

/** Whether the machine looks like the declared isolation. */
export function seenIsolation(declared: DeclaredIsolation, facts: MachineFacts): Seen {
  const sign = declared === 'container' ? containerSign(facts) : virtualSign(facts);
  if (sign !== null) return { state: 'seen', sign };
  const hint = hintOf(declared, facts);
  if (facts.platform === 'linux') return { state: 'unseen', ...LOOKED_AT[declared], ...(hint !== null && { why: hint }) };
  if (facts.platform === 'darwin')
    return declared === 'container'
      ? { state: 'unseen', why: 'This is macOS itself: containers on macOS run Linux.', command: 'uname' }
      : {
          state: 'unseen',
          why: 'macOS says that it does not run in a virtual machine (kern.hv_vmm_present).',
          command: 'sysctl -n kern.hv_vmm_present',
        };
  return { state: 'untold', why: `On ${facts.platform} no sign of ${NAMES[declared]} is known.`, command: 'uname' };
}

/** Names with their articles. */
export const NAMES: Readonly<Record<DeclaredIsolation, string>> = { vm: 'a virtual machine', container: 'a container' };

type Text = readonly [file: ReadPlace, pattern: RegExp, what: string, command?: string];

const EXIST: readonly (readonly [path: ExistingPlace, what: string])[] = [
  ['/.dockerenv', 'Docker put it there'],
  ['/run/.containerenv', 'Podman put it there'],
  ['/var/run/secrets/kubernetes.io/serviceaccount', 'Kubernetes put it there'],
];

// A daemon's own group, such as docker.service, does not belong to a container.
const GROUP = /\/(?:docker[/-][0-9a-f]{12}|(?:cri-containerd-|crio-|libpod-)[0-9a-f]{12}|kubepods|lxc(?:\.payload)?[./]|ecs\/)/;
/** A root filesystem made of image layers, or system files that a container program mounted. */
const LAYERS =
  /^(?:\S+ ){4}\/ [^\n]* - overlay [^\n]*lowerdir=[^\n]*\/(?:docker|containerd|containers\/storage|buildkit|crio)\/|^(?:\S+ ){3}\S*(?:\/docker\/containers\/|\/kubelet\/pods\/|\/overlay-containers\/)\S* \/etc\/(?:hosts|hostname|resolv\.conf) /m;
const CONTAINER_TEXTS: readonly Text[] = [
  ['/run/systemd/container', /^(?!wsl)[a-z][\w-]*/, 'systemd says so'],
  ['/run/host/container-manager', /^(?!wsl)[a-z][\w-]*/, 'the container manager puts it there'],
  ['/proc/1/environ', /(?:^|\0)container=(?!wsl)\w/, 'the first process has the variable container'],
  ['/proc/1/cgroup', GROUP, 'the first process is in the control group of a container'],
  ['/proc/self/cgroup', GROUP, 'processes are in the control group of a container'],
  ['/proc/self/mountinfo', LAYERS, 'the file system is from an image'],
  // gVisor always reports the same kernel and date, whatever runs below it.
  ['/proc/version', /gvisor|Linux version 4\.4\.0 #1 SMP Sun Jan 10 15:06:54 PST 2016/i, 'it is the gVisor kernel'],
];

function containerSign({ places, texts }: MachineFacts): Sign | null {
  for (const [path, what] of EXIST) if (places.has(path)) return { what: `${path} (${what})`, command: `ls -d ${path}` };
  return textSign(CONTAINER_TEXTS, texts);
}

const VENDORS =
  /QEMU|KVM|Bochs|VMware|VirtualBox|innotek|\bXen\b|Parallels|bhyve|Amazon EC2|Google Compute Engine|OpenStack|DigitalOcean|Apple Virtualization/i;
const VIRTUAL_TEXTS: readonly Text[] = [
  ['/sys/class/dmi/id/product_name', new RegExp(`${VENDORS.source}|^Virtual Machine|^HVM domU`, 'i'), 'the firmware says so'],
  ['/sys/class/dmi/id/sys_vendor', VENDORS, 'the firmware says so'],
  [
    '/proc/cpuinfo',
    /^flags\s*:.*\bhypervisor\b/m,
    'the processor has the flag hypervisor',
    'grep -o -m1 hypervisor /proc/cpuinfo',
  ],
  ['/proc/device-tree/compatible', /linux,dummy-virt|qemu|xen,xenvm/, 'the board is a virtual one'],
  ['/sys/hypervisor/type', /\w/, 'the kernel runs below a hypervisor'],
  ['/proc/sysinfo', /^VM\d\d Control Program/m, 'the machine has a control program'],
];
/** Amazon's rented machines without a hypervisor (`c5.metal`) carry its name, too. */
const BARE_METAL = /\bmetal\b/i;

function virtualSign(facts: MachineFacts): Sign | null {
  const { places, texts, platform, hypervisor } = facts;
  if (platform === 'darwin')
    return hypervisor === '1'
      ? { what: 'kern.hv_vmm_present is 1 (macOS says so)', command: 'sysctl -n kern.hv_vmm_present' }
      : null;
  // Xen's first domain runs under its hypervisor and controls it; WSL opens the drives of Windows and starts its programs.
  if (/control_d/.test(texts.get('/proc/xen/capabilities') ?? '') || isWsl(facts)) return null;
  const path = '/proc/device-tree/hypervisor';
  if (places.has(path)) return { what: `${path} (the firmware says so)`, command: `ls -d ${path}` };
  return textSign(BARE_METAL.test(texts.get('/sys/class/dmi/id/product_name') ?? '') ? [] : VIRTUAL_TEXTS, texts);
}

function isWsl({ places, texts }: MachineFacts): boolean {
  return places.has('/proc/sys/fs/binfmt_misc/WSLInterop') || /-microsoft\b/i.test(texts.get('/proc/version') ?? '');
}

function textSign(table: readonly Text[], texts: MachineFacts['texts']): Sign | null {
  for (const [file, pattern, what, command = `cat ${file}`] of table)
    if (pattern.test(texts.get(file) ?? '')) return { what: `${file} (${what})`, command };
  return null;
}

/** Returns a hint that resembles the declared isolation but is not a sign of it; null if there is none. */
function hintOf(declared: DeclaredIsolation, facts: MachineFacts): string | null {
  if (declared === 'vm' && isWsl(facts))
    return 'This is the Windows Subsystem for Linux, which can read Windows drives and start Windows programs.';
  const [variable] = facts.variables;
  if (declared === 'vm' || variable === undefined) return null;
  return `Only the variable ${variable} suggests a container, and any program can set it.`;
}

const LOOKED_AT: Readonly<Record<DeclaredIsolation, { readonly why: string; readonly command: string }>> = {
  container: {
    why: 'This machine shows no sign of a container: no file of Docker, Podman, Kubernetes or systemd, no control group, no mount.',
    command: 'ls -d /.dockerenv /run/.containerenv /run/systemd/container',
  },
  vm: {
    why: 'This machine shows no sign of a virtual machine: neither its firmware nor its processor says so.',
    command: 'cat /sys/class/dmi/id/product_name',
  },
};
