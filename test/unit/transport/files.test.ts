import { fileAddressProblem } from '../../../nodes/WorkspaceMessaging/transport/files';

/* Judges addresses as text; nothing here opens a connection. */

const REMOTE = 'https://chat.example.com';
const baseUrls = [
	REMOTE,
	'http://chat.example.com',
	'http://127.0.0.1:4010',
	'http://169.254.10.1',
];

test.each([
	'https://169.254.169.254/latest/meta-data',
	'https://169.254.0.1',
	'https://169.254.169.254./',
	'https://2852039166/',
	'https://0xa9.0xfe.0xa9.0xfe/',
	'https://0251.0376.0251.0376/',
	'https://169.16689662/',
	'https://%31%36%39.254.169.254/',
	'https://[::ffff:169.254.169.254]/',
	'https://[::ffff:a9fe:a9fe]/',
	'https://[0:0:0:0:0:ffff:a9fe:a9fe]/',
	'https://[::ffff:0:a9fe:a9fe]/',
	'https://[64:ff9b::a9fe:a9fe]/',
	'https://[::169.254.169.254]/',
	'https://[fe80::1]/',
	'https://[FEBF:1::1]/',
	'https://[fd00:ec2::254]/',
	'https://[fd00:0ec2:0:0:0:0:0:254]/',
	'https://[fd20:ce::254]/',
	'https://100.100.100.200/',
	'https://192.0.0.192/opc/v1/instance/',
	'https://192.0.0.9/',
	'https://3221225664/',
	'https://[::ffff:192.0.0.192]/',
	'https://[fd00:c1::a9fe:a9fe]/',
	'https://[fd00:42::42]/',
	'https://[fd00:ec2::23]/',
	'https://[2002:a9fe:a9fe::1]/',
	'https://[2001:0:a9fe:a9fe::1]/',
	'https://[2001::1]/',
	'https://[64:ff9b:1::a9fe:a9fe]/',
	'https://198.18.0.1/',
	'https://198.19.255.255/',
	'https://224.0.0.1/',
	'https://240.0.0.1/',
	'https://255.255.255.255/',
	'https://[ff02::1]/',
	'https://metadata.google.internal/computeMetadata/v1/',
	'https://METADATA.google.internal./',
	'https://metadata/',
	'https://metadata.goog/',
	'https://instance-data/latest/',
	'https://instance-data.ec2.internal/latest/',
	'https://metadata.tencentyun.com/',
])('a file is never sent to the link-local, reserved or metadata address %s', (address) => {
	for (const baseUrl of baseUrls) {
		const problem = fileAddressProblem(address, baseUrl);
		expect(problem).toBe(
			'It must not be a link-local or reserved address or the metadata service of a cloud.',
		);
	}
});

describe.each([
	'https://localhost/',
	'https://LOCALHOST:8443/',
	'https://localhost./',
	'https://storage.localhost/',
	'https://127.0.0.1:5678/',
	'https://127.255.0.9/',
	'https://127.1/',
	'https://2130706433/',
	'https://0.0.0.0/',
	'https://0/',
	'https://[::1]/',
	'https://[::]/',
	'https://[::ffff:127.0.0.1]/',
])('the loopback address %s', (address) => {
	test('gets no file from a service elsewhere', () => {
		expect(fileAddressProblem(address, REMOTE)).toBe(
			'It must not be on the machine that n8n runs on, unless the Base URL is, too.',
		);
	});

	test.each([
		'http://localhost:3000',
		'http://127.0.0.1:4010',
		'https://[::1]',
		'http://chat.localhost',
	])('gets a file if the Base URL is %s', (baseUrl) =>
		expect(fileAddressProblem(address, baseUrl)).toBeUndefined(),
	);
});

test.each([
	'https://storage.example.com/put?signature=x',
	'https://169.253.255.255/',
	'https://169.255.0.1/',
	'https://169.254.example.com/',
	'https://127.example.com/',
	'https://10.0.0.5/',
	'https://192.168.1.4:9000/bucket',
	'https://128.0.0.1/',
	'https://[2001:db8::1]/',
	'https://[fec0::1]/',
	'https://[fd00:ec3::254]/',
	'https://[fd00:42::43]/',
	'https://100.64.0.1/',
	'https://172.16.0.1/',
	'https://192.0.1.192/',
	'https://198.17.255.255/',
	'https://198.20.0.1/',
	'https://223.255.255.255/',
	'https://192.0.0.192.example.com/',
	'https://[2001:4860::1]/',
	'https://[2003::1]/',
	'https://minio.internal/',
	'https://metadata.example.com/',
	'https://my-metadata.google.internal.example.com/',
	'https://[::ffff:10.0.0.5]/',
	'https://localhost.example.com/',
	'https://notlocalhost/',
])('a file can be sent to %s', (address) => {
	expect(fileAddressProblem(address, REMOTE)).toBeUndefined();
});
