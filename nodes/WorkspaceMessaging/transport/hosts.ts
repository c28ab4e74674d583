/* What the name or number of a host says about it. What a name resolves to is not looked up. */

const PRIVATE_HOST =
	/^(localhost|127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|\[::1\]|\[f[cd]|0\.0\.0\.0)|\.(local|internal|lan)$/;

/**
 * Whether a host is inside a network by its name or number alone, so that nobody outside can open
 * it.
 */
export const isPrivateHost = (hostname: string) => PRIVATE_HOST.test(hostname);

/**
 * Hosts that keep nobody's files, from IANA's registries of special addresses and the manuals of
 * clouds. Private networks are not among them (10.0.0.0/8, 100.64.0.0/10, fc00::/7, fec0::/10 and
 * others): there, a service of your own keeps its files.
 */
const SPECIAL_HOSTS = [
	/^169\.254(\.\d+){2}$|^\[fe[89ab][\da-f]:/, // Link-local, with most metadata services
	/^192\.0\.0\.\d+$/, // Of protocols; metadata of Oracle
	/^198\.1[89](\.\d+){2}$/, // Of benchmarks
	/^(22[4-9]|2[345]\d)(\.\d+){3}$|^\[ff[\da-f]{2}:/, // Multicast and reserved
	/^\[(2001:0?|2002|64:ff9b:1):/, // Tunnels and translators to IPv4: Teredo, 6to4, NAT64
	/^100\.100\.100\.200$/, // Metadata of Alibaba
	/^\[(fd00:ec2:.*|fd20:ce::254|fd00:c1::a9fe:a9fe|fd00:42::42)\]$/, // Metadata of AWS, Google, Oracle, Scaleway
	/^(metadata|instance-data)((\..+)?\.internal)?$|^metadata\.(goog|tencentyun\.com)$/, // Metadata by name
];

/** Whether a host keeps nobody's files, such as one of a cloud's metadata. */
export const isSpecialHost = (host: string) => SPECIAL_HOSTS.some((pattern) => pattern.test(host));

/**
 * An IPv6 address that stands for an IPv4 address: mapped, translated (NAT64), or in the old
 * compatible form.
 */
const IPV4_IN_IPV6 = /^\[(?:::ffff:|::ffff:0:|64:ff9b::|::)([\da-f]{1,4}):([\da-f]{1,4})\]$/;

/**
 * Returns the host of a URL in one form. The URL itself has already read IPv4 addresses in
 * hexadecimal, octal and as one number.
 */
export function readHost({ hostname }: URL): string {
	const [, high, low] = IPV4_IN_IPV6.exec(hostname) ?? [];
	if (high === undefined) return hostname.replace(/\.$/, '');
	const groups = [high, low].map((group) => parseInt(group, 16));
	// Each group is two of the four numbers.
	const numbers = groups.flatMap((group) => [group >> 8, group & 0xff]);
	return numbers.join('.');
}

/** Whether a host is this machine; an address of zeros means that, too. */
export const isLoopback = (host: string) =>
	/^(127|0)(\.\d+){3}$|^\[::1?\]$|^(.+\.)?localhost$/.test(host);
