import { BlockList, isIP } from 'node:net';
import type { Workspace } from '../../../workspace';

// Two lists: in one, the range of mapped IPv4 addresses would stand for all of IPv4.
const privateRanges = {
	4: [
		'0.0.0.0/8',
		'10.0.0.0/8',
		'100.64.0.0/10',
		'127.0.0.0/8',
		'169.254.0.0/16',
		'172.16.0.0/12',
		'192.0.0.0/24',
		'192.0.2.0/24',
		'192.168.0.0/16',
		'198.18.0.0/15',
		'198.51.100.0/24',
		'203.0.113.0/24',
		'224.0.0.0/3',
	],
	6: ['::/127', '::ffff:0:0/96', 'fc00::/7', 'fe80::/10'],
};

function isPrivate(host: string, version: 4 | 6): boolean {
	const family = `ipv${version}` as const;
	const list = new BlockList();
	for (const range of privateRanges[version]) {
		const [address, prefix] = range.split('/');
		list.addSubnet(address, Number(prefix), family);
	}
	return list.check(host, family);
}

/**
 * Whether the service calls an address. It goes by the text alone, without DNS: real services also
 * refuse names that lead to a private address.
 */
export function isAllowedUrl({ options }: Pick<Workspace, 'options'>, address: string): boolean {
	if (!URL.canParse(address)) return false;
	const { protocol, hostname } = new URL(address);
	if (!['http:', 'https:'].includes(protocol)) return false;
	if (options.allowPrivateUrls) return true;
	const host = hostname.replace(/^\[|\]$/g, '');
	const version = isIP(host);
	if (version === 4 || version === 6) return !isPrivate(host, version);
	// A name without a dot, such as that of a container, has no public address.
	return host.includes('.') && !/\.(local|localhost|localdomain|internal)$/.test(host);
}
