"use strict";
// Draws the pictures of a report. Everything it shows is in the element "data"; nothing is fetched.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const dark = matchMedia("(prefers-color-scheme: dark)");
const tip = byId("tip");
const number = (x) => (Math.abs(x) >= 1e15 ? x.toExponential(2) : x.toLocaleString("en", { maximumSignificantDigits: 4 }));
const colour = (name) => getComputedStyle(document.querySelector(".procmap")).getPropertyValue(name).trim();

// Colours of 0 to 1: darker, or in the dark lighter, is more.
const RAMPS = {
  light: [[222, 232, 245], [94, 150, 214], [28, 82, 160], [8, 26, 70]],
  dark: [[34, 46, 66], [42, 98, 178], [104, 168, 246], [226, 239, 255]],
};
function ramp(share) {
  const stops = RAMPS[dark.matches ? "dark" : "light"];
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  const mixed = stops[low].map((from, i) => Math.round(from + (stops[low + 1][i] - from) * (at - low)));
  return `rgb(${mixed.join(",")})`;
}
function rampAsGradient() {
  return `linear-gradient(to right, ${[0, 0.25, 0.5, 0.75, 1].map(ramp).join(",")})`;
}

// Draws rectangles { x, y, w, h, fill, label } of a picture of the given height; the width is 1.
function draw(canvas, height, rectangles, texts = []) {
  const width = canvas.clientWidth, ratio = window.devicePixelRatio || 1;
  canvas.style.height = `${width * height}px`;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(width * height * ratio);
  const pen = canvas.getContext("2d");
  pen.scale(canvas.width, canvas.width);
  for (const r of rectangles) {
    pen.fillStyle = r.fill;
    pen.fillRect(r.x, r.y, Math.max(r.w, 0.6 / width), Math.max(r.h, 0.6 / width));
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.font = "12px system-ui, sans-serif";
  for (const t of texts) {
    pen.fillStyle = colour("--dim");
    pen.fillText(t.text, t.x * width, t.y * width, width);
  }
  canvas.onpointermove = (event) => {
    const x = event.offsetX / width, y = event.offsetY / width;
    const hit = rectangles.findLast((r) => r.label && x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h);
    tip.style.display = hit ? "block" : "none";
    if (!hit) return;
    tip.textContent = hit.label;
    tip.style.left = `${Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${Math.min(event.clientY + 12, innerHeight - tip.offsetHeight - 8)}px`;
  };
  canvas.onpointerleave = () => (tip.style.display = "none");
}

// Fill and text of a cell of the machine, by what is chosen to be shown, between the least and the most of its row.
function cellsOf(part, names) {
  const chosen = byId("machine-by").value, values = part[chosen];
  const most = values.reduce((a, b) => Math.max(a, b), 0), least = values.reduce((a, b) => Math.min(a, b), most);
  return names.map((name, i) => {
    const over = part.load[i] > data.limit * (1 + 1e-9);
    const fill = chosen === "load" && over ? colour("--bad") : ramp(most > least ? (values[i] - least) / (most - least) : 0.5);
    const load = data.loads.length > 1 ? `the fullest PE: ${number(part.load[i])} of what it may carry`
      : `load of the heaviest PE: ${number(part.load[i])} times the average`;
    return { fill, label: `${name}\n${load}\nsends away: ${number(part.sent[i])}` };
  });
}

const MACHINES = {
  tree(canvas, machine) {
    const rectangles = [], texts = [], text = 16 / canvas.clientWidth, row = 26 / canvas.clientWidth;
    machine.rows.forEach((part, level) => {
      const top = level * (row + text + 0.004), many = part.names.length, gap = many > 128 ? 0 : 0.1 / many;
      const cells = cellsOf(part, part.names);
      texts.push({ text: `${part.count.toLocaleString("en")} ${part.title}`, x: 0, y: top + text * 0.85 });
      cells.forEach((cell, i) => rectangles.push({ x: i / many, y: top + text, w: 1 / many - gap, h: row, ...cell }));
    });
    draw(canvas, machine.rows.length * (row + text + 0.004), rectangles, texts);
  },
  grid(canvas, machine) {
    const [slices, rows, columns] = machine.shape, [allSlices, allRows, allColumns] = machine.whole;
    const across = Math.min(slices, Math.max(1, Math.ceil(Math.sqrt(slices * rows / columns)))), gap = slices > 1 ? 0.02 : 0;
    const side = (1 - gap * (across - 1)) / across / columns, text = slices > 1 ? 16 / canvas.clientWidth : 0;
    const rectangles = [], texts = [], names = [], places = [];
    const span = (i, few, many) => {
      const first = Math.ceil(i * many / few), last = Math.ceil((i + 1) * many / few) - 1;
      return first === last ? `${first}` : `${first} to ${last}`;
    };
    for (let s = 0; s < slices; s++) {
      const left = (s % across) * (columns * side + gap), top = Math.floor(s / across) * (rows * side + gap + text);
      if (slices > 1) texts.push({ text: `slice ${span(s, slices, allSlices)}`, x: left, y: top + text * 0.85 });
      for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) {
        names.push(`slice ${span(s, slices, allSlices)}, row ${span(r, rows, allRows)}, column ${span(c, columns, allColumns)}`);
        places.push({ x: left + c * side, y: top + text + r * side, w: side * 0.94, h: side * 0.94 });
      }
    }
    cellsOf(machine, names).forEach((cell, i) => rectangles.push({ ...places[i], ...cell }));
    draw(canvas, Math.ceil(slices / across) * (rows * side + gap + text), rectangles, texts);
  },
  matrix(canvas, machine) {
    canvas.className = "distances";
    const shown = `Distances of ${machine.names.length} of ${machine.count.toLocaleString("en")} PEs from each other`;
    byId("machine-controls").textContent = `${shown}: darker, or in the dark lighter, is farther.`;
    const n = machine.names.length, largest = Math.max(...machine.values, 1e-300);
    draw(canvas, 1, machine.values.map((value, i) => {
      const row = Math.floor(i / n), column = i % n;
      return { x: column / n, y: row / n, w: 1 / n, h: 1 / n, fill: ramp(value / largest),
        label: `${machine.names[row]} and ${machine.names[column]}\ndistance ${number(value)}` };
    }));
  },
};

function drawMachine() {
  MACHINES[data.machine.kind](byId("machine"), data.machine);
}

function drawTraffic() {
  const shown = data.matrices[byId("groups").value], n = shown.names.length;
  const inside = byId("inside").checked;
  const entries = (name) => shown[name].filter(([row, column]) => inside || row !== column);
  const both = [...entries("before"), ...entries("after")].map((entry) => entry[2]);
  const largest = both.reduce((a, b) => Math.max(a, b), 0), smallest = both.reduce((a, b) => Math.min(a, b), largest);
  const least = largest * 10 ** Number(byId("least").value);
  const logs = Math.log(largest / Math.min(smallest, largest * 0.999)) || 1;
  for (const name of ["before", "after"]) {
    const other = new Map(shown[name === "before" ? "after" : "before"].map(([r, c, v]) => [r * n + c, v]));
    const cells = entries(name).filter((entry) => entry[2] >= least).map(([row, column, value]) => {
      const elsewhere = other.get(row * n + column) ?? 0;
      const [then, now] = name === "before" ? [value, elsewhere] : [elsewhere, value];
      return { x: column / n, y: row / n, w: 1 / n, h: 1 / n, fill: ramp(Math.log(value / smallest) / logs),
        label: `${shown.names[row]} and ${shown.names[column]}\nbefore ${number(then)}, now ${number(now)}` };
    });
    const ground = { x: 0, y: 0, w: 1, h: 1, fill: colour("--paper") };
    draw(byId(name), 1, [ground, ...cells]);
  }
  byId("ramp").style.background = rampAsGradient();
  byId("smallest").textContent = largest ? number(smallest) : "no traffic";
  byId("largest").textContent = largest ? number(largest) : "";
  byId("least-shown").textContent = largest && least > smallest ? number(least) : "all";
}

function drawLoads() {
  const { pes, values, capacity, count } = data.loads[byId("weight").value], limited = capacity < 1e17;
  const top = Math.max(...values, limited ? capacity : 0, 1e-300) * 1.05, height = 0.3;
  const bars = values.map((value, i) => {
    const x = pes[i] / count, end = (i + 1 < pes.length ? pes[i + 1] : count) / count;
    const fill = value > capacity ? colour("--bad") : colour("--after");
    return { x, y: height * (1 - value / top), w: end - x, h: height * value / top, fill,
      label: `PE number ${pes[i] + 1} by load: ${number(value)}` };
  });
  if (limited) bars.push({ x: 0, y: height * (1 - capacity / top), w: 1, h: 0.002, fill: colour("--bad") });
  draw(byId("loads"), height, bars);
}

const order = { by: "names", down: false };
const loads = data.loads.map((_, i) => (i ? `load${i}` : "load"));
function fillTable() {
  const table = data.table, words = byId("filter").value.toLowerCase(), only = byId("over").checked;
  let rows = table.names.map((_, i) => i);
  rows = rows.filter((i) => table.names[i].toLowerCase().includes(words) && (!only || table.over[i] > 0));
  if (order.by !== "names") rows.sort((a, b) => table[order.by][a] - table[order.by][b]);
  if (order.down) rows.reverse();
  const body = byId("rows");
  body.replaceChildren(...rows.slice(0, 100).map((i) => {
    const line = document.createElement("tr");
    if (table.over[i] > 0) line.className = "over";
    const cells = [table.names[i], ...["tasks", ...loads, "before", "after"].map((key) => number(table[key][i]))];
    cells.forEach((text, j) => (line.appendChild(document.createElement(j ? "td" : "th")).textContent = text));
    return line;
  }));
  byId("count").textContent = rows.length > 100 ? `the first 100 of ${rows.length}` : `${rows.length}`;
}

function drawAll() {
  drawMachine();
  drawTraffic();
  drawLoads();
}

// With several weights a column each, by name, and the choice of which to show.
data.loads.forEach((part, i) => byId("weight").add(new Option(part.name, i)));
byId("weight").parentElement.hidden = data.loads.length === 1;
byId("weight").oninput = drawLoads;
const column = document.querySelector('[data-by="load"]').parentElement;
if (data.loads.length > 1) {
  column.firstChild.textContent = data.loads[0].name;
  loads.slice(1).toReversed().forEach((key) => {
    const more = column.cloneNode(true);
    more.firstChild.dataset.by = key;
    more.firstChild.textContent = data.loads[loads.indexOf(key)].name;
    column.after(more);
  });
}
data.matrices.forEach((part, i) => byId("groups").add(new Option(part.title, i)));
for (const button of document.querySelectorAll("th button")) {
  button.onclick = () => {
    order.down = order.by === button.dataset.by ? !order.down : button.dataset.by !== "names";
    order.by = button.dataset.by;
    fillTable();
  };
}
byId("machine-by").onchange = drawMachine;
for (const id of ["groups", "inside", "least"]) byId(id).oninput = drawTraffic;
for (const id of ["filter", "over"]) byId(id).oninput = fillTable;
dark.onchange = drawAll;
new ResizeObserver(drawAll).observe(byId("loads").parentElement);
fillTable();
drawAll();
