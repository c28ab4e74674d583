/** A line of the plot. */
export interface Line {
	name: string;
	points: Array<{ x: number; y: number }>;
}

interface Labels {
	title: string;
	x: string;
	y: string;
}

const WIDTH = 720;
const HEIGHT = 400;
/** Where the axes are. */
const LEFT = 70;
const RIGHT = WIDTH - 30;
const TOP = 70;
const BOTTOM = HEIGHT - 60;
const STEPS = 5;

/** Readable on white and on black: GitHub shows one file in both themes. */
const GREY = '#7d8590';
const COLOURS = ['#2f81f7', '#db6d28', '#2da44e'];
/** The lines also differ without their colours. */
const DASHES = ['none', '8 4', '2 4'];

const text = (x: number, y: number, content: string | number, more = '') =>
	`<text x="${x}" y="${y}" ${more}>${content}</text>`;

const stroke = (index: number) =>
	`fill="none" stroke="${COLOURS[index]}" stroke-width="2.5" stroke-dasharray="${DASHES[index]}"`;

/** Returns the round number that a fifth of the axis stands for. */
function stepOf(most: number): number {
	const power = 10 ** Math.floor(Math.log10(most / STEPS));
	const step = [1, 2, 5].find((factor) => factor * power * STEPS >= most) ?? 10;
	return step * power;
}

/** Draws up to three lines as an SVG; both axes begin at 0. */
export function drawPlot(labels: Labels, lines: Line[]): string {
	const points = lines.flatMap((line) => line.points);
	const mostX = Math.max(...points.map(({ x }) => x));
	const step = stepOf(Math.max(...points.map(({ y }) => y)));
	const placeX = (x: number) => LEFT + ((RIGHT - LEFT) * x) / mostX;
	const placeY = (y: number) => BOTTOM - ((BOTTOM - TOP) * y) / (STEPS * step);

	const ticksX = [...new Set([0, ...points.map(({ x }) => x)])].map((x) =>
		text(placeX(x), BOTTOM + 20, x, 'text-anchor="middle"'),
	);
	const ticksY = Array.from({ length: STEPS + 1 }, (_, index) => {
		const value = Number((index * step).toPrecision(3));
		const y = placeY(value);
		const grid = `<path d="M${LEFT} ${y}H${RIGHT}" stroke="${GREY}" stroke-opacity="0.35"/>`;
		return `${grid}${text(LEFT - 8, y + 4, value, 'text-anchor="end"')}`;
	});
	const curves = lines.map(({ points: own }, index) => {
		const places = own.map(({ x, y }) => `${placeX(x)},${placeY(y)}`).join(' ');
		return `<polyline points="${places}" ${stroke(index)}/>`;
	});
	const dots = lines.flatMap(({ points: own }, index) =>
		own.map(
			({ x, y }) => `<circle cx="${placeX(x)}" cy="${placeY(y)}" r="4" fill="${COLOURS[index]}"/>`,
		),
	);
	const legend = lines.map(({ name }, index) => {
		const x = LEFT + index * 200;
		return `<path d="M${x} 48h30" ${stroke(index)}/>${text(x + 38, 52, name)}`;
	});
	const middleY = (TOP + BOTTOM) / 2;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="13" fill="${GREY}">`,
		`<title>${labels.title}</title>`,
		text(LEFT, 24, labels.title, 'font-size="15" font-weight="bold"'),
		...legend,
		...ticksX,
		...ticksY,
		text((LEFT + RIGHT) / 2, HEIGHT - 14, labels.x, 'text-anchor="middle"'),
		text(20, middleY, labels.y, `text-anchor="middle" transform="rotate(-90 20 ${middleY})"`),
		...curves,
		...dots,
		'</svg>',
		'',
	].join('\n');
}
