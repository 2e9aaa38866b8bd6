// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Somebody who tries all ports of a job.

#ifndef TE_TEST_LAUNCH_PORTSCAN_H
#define TE_TEST_LAUNCH_PORTSCAN_H

#include <arpa/inet.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <set>
#include <sstream>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace test {

/// As long as this lives, and while its limits last, a thread connects to every
/// port at which the process or one that it has forked listens; it says
/// nothing, or garbage, and lets go at once, or late.
class PortScan {
public:
  explicit PortScan(pid_t process)
      : process(process), thread([this] { run(); }) {}
  ~PortScan() {
    stopping = true;
    thread.join();
    for (int socket : held)
      ::close(socket);
  }

  /// How many connections there were.
  int connections() const { return count; }

private:
  static constexpr int mostConnections = 3000;
  static constexpr size_t mostHeld = 100;

  static std::vector<pid_t> withChildren(pid_t process) {
    std::vector<pid_t> all = {process};
    const std::string pid = std::to_string(process);
    std::ifstream list("/proc/" + pid + "/task/" + pid + "/children");
    for (pid_t child = 0; list >> child;)
      all.push_back(child);
    return all;
  }
  /// Of all sockets that the processes have open.
  std::set<std::string> inodes() const {
    namespace fs = std::filesystem;
    std::set<std::string> found;
    for (pid_t pid : withChildren(process)) {
      std::error_code code;
      for (fs::directory_iterator
               it("/proc/" + std::to_string(pid) + "/fd", code),
           end;
           !code && it != end; it.increment(code)) {
        std::error_code ignored;
        const std::string to = fs::read_symlink(it->path(), ignored).string();
        if (to.rfind("socket:[", 0) == 0)
          found.insert(to.substr(8, to.size() - 9));
      }
    }
    return found;
  }
  /// Ports of those that listen, by the kernel's tables.
  std::set<uint16_t> ports(bool ofIPv6) const {
    const std::set<std::string> own = inodes();
    std::set<uint16_t> found;
    std::ifstream table(ofIPv6 ? "/proc/net/tcp6" : "/proc/net/tcp");
    std::string line;
    for (std::getline(table, line); std::getline(table, line);) {
      std::istringstream fields(line);
      std::string number, local, remote, state, skip, inode;
      fields >> number >> local >> remote >> state;
      for (int i = 0; i < 5; ++i)
        fields >> skip;
      fields >> inode;
      if (state == "0A" && own.count(inode))
        found.insert(uint16_t(std::strtoul(
            local.substr(local.find(':') + 1).c_str(), nullptr, 16)));
    }
    return found;
  }

  int connectTo(uint16_t port, bool ofIPv6) const {
    int socket = ::socket(ofIPv6 ? AF_INET6 : AF_INET,
                          SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in four = {};
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockaddr_in6 six = {};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
    six.sin6_addr = in6addr_loopback;
    // On the loopback interface it is there at once, or not at all.
    const int result =
        ofIPv6
            ? ::connect(socket, reinterpret_cast<sockaddr *>(&six), sizeof(six))
            : ::connect(socket, reinterpret_cast<sockaddr *>(&four),
                        sizeof(four));
    (void)result;
    return socket;
  }

  void run() {
    // What Gloo and NCCL would take for a number of bytes, a browser's words,
    // and zeros.
    const std::string garbage[] = {"", std::string(8, '\xff'),
                                   "GET / HTTP/1.1\r\n\r\n",
                                   std::string(64, '\0'), "x"};
    while (!stopping && count < mostConnections) {
      for (bool ofIPv6 : {false, true})
        for (uint16_t port : ports(ofIPv6)) {
          int socket = connectTo(port, ofIPv6);
          const std::string &text = garbage[size_t(count) % std::size(garbage)];
          if (!text.empty())
            (void)!::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
          if (++count % 3 == 0)
            ::close(socket);
          else
            held.push_back(socket);
          if (held.size() > mostHeld) {
            ::close(held.front());
            held.pop_front();
          }
        }
      ::usleep(500);
    }
  }

  const pid_t process;
  std::atomic<bool> stopping{false};
  std::atomic<int> count{0};
  std::deque<int> held;
  std::thread thread;
};

} // namespace test

#endif // TE_TEST_LAUNCH_PORTSCAN_H
