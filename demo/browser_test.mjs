// Plays the page in a browser without a window: `node browser_test.mjs target/web [picture.png]`. The panel has to show
// bullets that live, and the times of both kinds of memory; after the space bar no bullet lives in a pool.
// `BROWSER` names another one than Debian's `chromium`.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [folder, picture] = process.argv.slice(2);
const types = { html: "text/html", js: "text/javascript", wasm: "application/wasm" };
const server = createServer((request, response) => {
    const name = request.url === "/" ? "index.html" : request.url.slice(1);
    try {
        const body = readFileSync(join(folder, name));
        response.writeHead(200, { "content-type": types[name.split(".").pop()] ?? "text/plain" }).end(body);
    } catch {
        response.writeHead(404).end();
    }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));

// It takes commands through a pipe, as JSON that ends with a zero.
const profile = mkdtempSync(join(tmpdir(), "browser-"));
const browser = spawn(process.env.BROWSER ?? "chromium", [
    "--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--window-size=1280,800", `--user-data-dir=${profile}`, "--remote-debugging-pipe",
], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const complaints = [];
const waiting = new Map();
let last = 0, session, rest = "";
browser.stdio[4].setEncoding("utf8").on("data", (data) => {
    const messages = (rest + data).split("\0");
    rest = messages.pop();
    for (const { id, method, params, result, error } of messages.map((text) => JSON.parse(text))) {
        if (id) {
            waiting.get(id)(result ?? Promise.reject(new Error(error.message)));
        } else if (method === "Runtime.exceptionThrown") {
            complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        } else if (method === "Runtime.consoleAPICalled" && params.type === "error") {
            complaints.push(params.args.map((argument) => argument.value).join(" "));
        }
    }
});
const tell = (method, params = {}) => new Promise((done) => {
    waiting.set(++last, done);
    browser.stdio[3].write(`${JSON.stringify({ id: last, method, params, sessionId: session })}\0`);
});
const evaluate = async (expression) => {
    const { result } = await tell("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    return result.value;
};
const expect = (holds, what) => {
    if (!holds || complaints.length > 0) throw new Error([what, ...complaints.slice(0, 5)].join("\n"));
};

// What a picture shows: of the panel, and of the world to its right.
const LOOK = (base64) => `(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${base64}";
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const look = (left, top, right, bottom) => {
        const { data } = context.getImageData(left, top, right - left, bottom - top), colours = new Map();
        for (let at = 0; at < data.length; at += 4) {
            const colour = data.slice(at, at + 3).join();
            colours.set(colour, 1 + (colours.get(colour) ?? 0));
        }
        return colours;
    };
    const near = (colours, wanted) => [...colours].reduce((sum, [colour, count]) =>
        sum + (colour.split(",").every((part, at) => Math.abs(part - wanted[at]) < 3) ? count : 0), 0);
    const panel = look(0, 0, 344, image.height), head = look(180, 10, 340, 40);
    return {
        panel: panel.size, world: look(346, 0, image.width, image.height).size, live: near(panel, [191, 105, 29]),
        pools: near(head, [89, 242, 191]), heap: near(head, [255, 158, 64]),
    };
})()`;

try {
    const { targetInfos } = await tell("Target.getTargets");
    const { targetId } = targetInfos.find(({ type }) => type === "page");
    session = (await tell("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    await tell("Runtime.enable");
    await tell("Page.enable");
    await tell("Page.addScriptToEvaluateOnNewDocument", {
        source: "globalThis.frames = 0; const count = () => { frames += 1; requestAnimationFrame(count); }; count();",
    });
    await tell("Page.navigate", { url: `http://127.0.0.1:${server.address().port}/` });
    const play = async (count) => {
        const start = await evaluate("frames");
        for (let wait = 0; wait < 1800; wait++) {
            if (await evaluate("frames") >= start + count) return;
            await new Promise((done) => setTimeout(done, 100));
        }
        expect(false, "it does not go on");
    };
    const look = async () => {
        const { data } = await tell("Page.captureScreenshot", { format: "png" });
        return { data, ...await evaluate(LOOK(data)) };
    };
    await play(200);
    const pools = await look();
    if (picture) writeFileSync(picture, Buffer.from(pools.data, "base64"));
    for (const type of ["keyDown", "keyUp"]) {
        await tell("Input.dispatchKeyEvent", { type, key: " ", code: "Space", windowsVirtualKeyCode: 32 });
        await play(2);
    }
    await play(60);
    const heap = await look();
    if (picture) writeFileSync(picture.replace(".png", "-heap.png"), Buffer.from(heap.data, "base64"));
    for (const [name, { data, ...seen }] of Object.entries({ pools, heap })) console.log(name, JSON.stringify(seen));
    expect(pools.panel > 20 && pools.world > 100, "the picture has few colours");
    expect(pools.pools > 50 && pools.heap === 0, "the panel does not say that it plays in pools");
    // Four pixels each, in the colour of a slot that has been occupied for a while.
    expect(pools.live / 4 > 3000, "no bullets live in the panel's map");
    expect(heap.heap > 50 && heap.pools === 0, "the space bar does not lead to the other memory");
    expect(heap.live === 0, "bullets live in pools, in the other memory");
} catch (error) {
    console.log(error.message);
    process.exitCode = 1;
} finally {
    browser.kill();
    server.close();
    await new Promise((done) => browser.on("exit", done));
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
