// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/RunPage.h"

#include <gtest/gtest.h>

using namespace tert::training;

namespace {
void expectHas(const std::string &html, const char *part) {
  EXPECT_NE(html.find(part), std::string::npos) << part << "\nin " << html;
}
} // namespace

TEST(RunPage, HasWhatIsKnown) {
  Metrics metrics({"a.input", "b<c>.weight"});
  RunPage page;
  page.title = "gpt & more";
  page.steps = 10;
  page.isRunning = true;
  page.metrics = &metrics;
  // Before the first step.
  std::string html = writePage(page);
  EXPECT_TRUE(isRunPage(html.substr(0, html.find('\n'))));
  expectHas(html, "http-equiv=\"refresh\"");
  expectHas(html, "<title>gpt &amp; more</title>");

  StepMetrics step;
  step.step = 4;
  step.loss = 2.5;
  step.evalLoss = 3.25;
  step.seconds = 8;
  step.utilization = 0.413;
  step.memory = 3 << 20;
  step.amaxes = {1.5f, 70.25f};
  step.events = {{"saturation", "b<c>.weight", 0.75, 0.5}};
  EXPECT_FALSE(metrics.add(step));
  step.step = 5;
  EXPECT_FALSE(metrics.add(step));
  StepProfile profile;
  profile.ops = {{"tert.matmul", "model.py:3", 0.003, 1e6},
                 {"tert.add", "", 0.001, 0}};
  profile.seconds = 0.004;
  page.profile = &profile;
  page.memory = {{"states", 1 << 20}};
  html = writePage(page);
  expectHas(html, "<progress max=\"10\" value=\"5\">");
  expectHas(html, "<td class=\"n\">5 of 10</td>");
  expectHas(html, "<td class=\"n\">2.5000</td>");
  expectHas(html, "evaluation at step 5");
  expectHas(html, "<td class=\"n\">41.3 %</td>");
  expectHas(html, "<td class=\"n\">3.00 MiB</td>");
  // Two steps took 8 seconds, and 5 are left.
  expectHas(html, "<td>left</td><td class=\"n\">0:20</td>");
  expectHas(html, "<td>saturation</td><td>b&lt;c&gt;.weight</td>"
                  "<td class=\"n\">2</td><td class=\"n\">5</td>");
  // The largest amax is first.
  EXPECT_LT(html.find("70.25"), html.find(">1.5<"));
  expectHas(html, "<td>model.py:3</td><td class=\"n\">3.000</td>"
                  "<td class=\"n\">75.0 %</td>");
  expectHas(html, "<svg");
  EXPECT_EQ(html.find("b<c>"), std::string::npos);
  EXPECT_EQ(html.find("src="), std::string::npos);

  page.isRunning = false;
  html = writePage(page);
  EXPECT_EQ(html.find("refresh"), std::string::npos);
  expectHas(html, "The run has ended.");
  EXPECT_FALSE(isRunPage("<!DOCTYPE html>"));
}
