"""Whether every text that a window shows can be read against what is behind it."""

from tests.local_guild.page.house import Window

# Every text in view against what is behind it, by WCAG 2; what is disabled or hidden is exempt there.
FAINT = """(within) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const rgba = (css) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = css;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = (top, under) => top.slice(0, 3).map((part, at) => part * top[3] + under[at] * (1 - top[3]));
    const behind = (element) => {
        if (!element) return [255, 255, 255];
        const own = rgba(getComputedStyle(element).backgroundColor);
        return own[3] === 1 ? own.slice(0, 3) : over(own, behind(element.parentElement));
    };
    const light = (colour) => {
        const [r, g, b] = colour.map(part => part / 255)
            .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const faint = [];
    let read = 0;
    for (const element of document.querySelectorAll(`${within} *`)) {
        const words = [...element.childNodes].filter(node => node.nodeType === 3 && node.data.trim());
        if (!words.length || element.closest('[disabled], .visually-hidden, .spoiler:not(.spoiler-open)')) continue;
        if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
        read += 1;
        const style = getComputedStyle(element);
        const paper = behind(element);
        const ink = over(rgba(style.color), paper);
        const [a, b] = [light(ink), light(paper)].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        const size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        if (ratio < (large ? 3 : 4.5)) faint.push(`${words[0].data.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
    }
    return { faint, read };
}"""


async def assert_readable(window: Window, *, least: int = 40, within: str = ".chat") -> None:
    """`least` texts are in view; fewer, and nothing would have been looked at."""
    found = await window.page.evaluate(FAINT, within)
    assert found["faint"] == []
    assert found["read"] > least
