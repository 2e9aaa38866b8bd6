// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/Message.h"

#include <gtest/gtest.h>
#include <random>

using namespace tert::launch;

TEST(Message, ComesBackInPieces) {
  const std::string zeros("a\0b", 3);
  std::string bytes =
      Packer().number(7).text(zeros).texts({"x", "", "yz"}).frame(Kind::Set) +
      Packer().frame(Kind::Alive);
  Inbox inbox;
  std::vector<Message> messages;
  for (char c : bytes) {
    inbox.bytes += c;
    while (std::optional<Message> message = inbox.next(1000))
      messages.push_back(*message);
  }
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].kind, Kind::Set);
  Unpacker unpacker(messages[0].payload);
  EXPECT_EQ(unpacker.number(), 7u);
  EXPECT_EQ(unpacker.text(), zeros);
  EXPECT_EQ(unpacker.texts(), (std::vector<std::string>{"x", "", "yz"}));
  EXPECT_TRUE(unpacker.isWhole());
  EXPECT_EQ(messages[1].kind, Kind::Alive);
  EXPECT_TRUE(inbox.bytes.empty());
  EXPECT_FALSE(inbox.isBad());
}

TEST(Message, LongFramesAreRefusedBeforeTheyAreRead) {
  Inbox inbox;
  inbox.bytes = "GET / HTTP/1.1\r\n\r\n"; // A size of "/ HT".
  EXPECT_FALSE(inbox.next(mostBytesOfHello));
  EXPECT_TRUE(inbox.isBad());
}

TEST(Message, NoBytesLeadAstray) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes(random() % 40, '\0');
    for (char &c : bytes)
      c = static_cast<char>(random() % 4 ? random() % 3 : random());
    Unpacker unpacker(bytes);
    unpacker.number();
    unpacker.text();
    EXPECT_LE(unpacker.texts().size(), 40u);
    Inbox inbox;
    inbox.bytes = bytes;
    while (std::optional<Message> message = inbox.next(30))
      EXPECT_LE(message->payload.size(), 30u);
  }
  Unpacker truncated(std::string_view("\5\0\0\0abc", 7));
  EXPECT_EQ(truncated.text(), "");
  EXPECT_FALSE(truncated.isWhole());
  EXPECT_EQ(truncated.number(), 0u);
}
