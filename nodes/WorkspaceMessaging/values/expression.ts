/** Whether a value that the user entered is an expression, or has one inside. */
export function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}
