# Sidekiq: this file is the program of the checks, with the port and a database as its arguments, and what its workers
# load, with both in the environment. The protocol is that of checks.js.
require "sidekiq"
require "sidekiq/api"
require "sidekiq/scheduled"

PORT, DB = $0 == __FILE__ ? ARGV : ENV["SIDEKIQ_JOBS"].split
SECONDS = 120 # far beyond what anything here takes on a loaded machine
Sidekiq.logger.level = Logger::ERROR
Redis.silence_deprecations = true # of a client that is newer than this Sidekiq
[:configure_server, :configure_client].each do |who|
  Sidekiq.send(who) { |config| config.redis = {url: "redis://127.0.0.1:#{PORT}/#{DB}", size: 12} }
end

def store(&block) = Sidekiq.redis(&block)

class Note
  include Sidekiq::Worker
  def perform(key, value, due = 0)
    store { |redis| redis.rpush(Time.now.to_f < due ? "early" : key, value) }
  end
end

class Fails
  include Sidekiq::Worker
  sidekiq_options retry: 2
  sidekiq_retry_in { 1000 }
  def perform(key, succeeds_at)
    times = store { |redis| redis.incr(key) }
    raise "try #{times}" if times < succeeds_at
  end
end

# Does not end in the first worker that has it.
class Holds
  include Sidekiq::Worker
  def perform(key)
    sleep if store { |redis| redis.incr(key) } == 1
    store { |redis| redis.set("#{key}:done", jid) }
  end
end

def wait_until(what)
  deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + SECONDS
  until (value = yield)
    raise "waited in vain until #{what}" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
    sleep 0.01
  end
  value
end

def same(got, wanted, what = "")
  raise "#{what}: got #{got.inspect}, expected #{wanted.inspect}" unless got == wanted
end

def list(key) = store { |redis| redis.lrange(key, 0, -1) }

# A worker for these queues, in this order, until the block ends.
def worker(threads, *queues)
  pid = spawn({"SIDEKIQ_JOBS" => "#{PORT} #{DB}"}, "sidekiq", "-r", File.expand_path(__FILE__), "-c", threads.to_s, "-t", "1",
              *queues.flat_map { |queue| ["-q", queue] }, out: "/dev/null")
  yield pid
ensure
  Process.kill("TERM", pid)
  Process.wait(pid)
end

CHECKS = {
  "each job once" => lambda {
    100.times { |n| Note.set(queue: "once").perform_async("once", n) }
    Sidekiq::Client.push_bulk("class" => Note, "queue" => "once", "args" => (100...200).map { |n| ["once", n] })
    same(Sidekiq::Queue.new("once").size, 200)
    worker(5, "once") do
      worker(5, "once") { wait_until("all are done") { list("once").size >= 200 } }
    end
    same(list("once").map(&:to_i).sort, (0...200).to_a)
    same(Sidekiq::Queue.new("once").size, 0)
  },

  "order, and a worker that is stopped" => lambda {
    [3, 4].each { |n| Note.set(queue: "low").perform_async("order", n) }
    [0, 1, 2].each { |n| Note.set(queue: "high").perform_async("order", n) }
    job = Holds.set(queue: "held").perform_async("held")
    worker(1, "high", "low", "held") do
      wait_until("the last is held") { store { |redis| redis.get("held") } == "1" }
    end # it had a second to end, and has put its job back
    same(list("order"), %w[0 1 2 3 4])
    same(Sidekiq::Queue.new("held").map(&:jid), [job])
    worker(1, "held") { wait_until("another worker does it") { store { |redis| redis.get("held:done") } == job } }
    same([store { |redis| redis.get("held") }, Sidekiq::Queue.new("held").size], ["2", 0])
  },

  # Several processes look for due jobs all the time; each job is taken by one of them, and not before its time.
  "scheduled" => lambda {
    now = Time.now.to_f
    due = (0...60).map { |n| now + 0.02 * n }
    due.each_with_index { |at, n| Note.set(queue: "due").perform_at(at, "due", n, at) }
    Note.set(queue: "due").perform_in(1e6, "due", "far")
    same(Sidekiq::ScheduledSet.new.size >= 1, true)
    worker(4, "due") do
      pollers = (1..3).map do
        Thread.new { wait_until("all are done") { Sidekiq::Scheduled::Enq.new.enqueue_jobs; list("due").size >= 60 } }
      end
      pollers.each(&:value)
    end
    same(list("early"), [])
    same(list("due").map(&:to_i).sort, (0...60).to_a)
    same(Sidekiq::ScheduledSet.new.map { |job| job.args[1] }, ["far"])
  },

  "retries" => lambda {
    Fails.set(queue: "fails").perform_async("second", 2)
    dead = Fails.set(queue: "fails").perform_async("never", 100)
    mine = ->(set) { set.select { |job| job.queue == "fails" } }
    worker(2, "fails") do
      wait_until("both have failed") { mine[Sidekiq::RetrySet.new].size == 2 }
      mine[Sidekiq::RetrySet.new].each { |job| same(job.at > Time.now + 900, true, "it is tried too early") }
      2.times do |n|
        mine[Sidekiq::RetrySet.new].each { |job| job.reschedule(Time.now.to_f - 1) }
        Sidekiq::Scheduled::Enq.new.enqueue_jobs
        wait_until("it is tried again") { store { |redis| redis.get("never") } == (n + 2).to_s }
        wait_until("it is kept") { mine[Sidekiq::RetrySet.new].size + mine[Sidekiq::DeadSet.new].size == 1 }
      end
    end
    same(mine[Sidekiq::DeadSet.new].map { |job| [job.jid, job["error_message"]] }, [[dead, "try 3"]])
    same(store { |redis| redis.get("second") }, "2")
  }
}

if $0 == __FILE__
  $stdout.sync = true
  CHECKS.map { |name, check|
    Thread.new do
      check.call
      puts "ok #{name}"
    rescue => error
      puts "bad #{name}: #{error.message} (#{error.backtrace.first(3).join(" < ")})".tr("\n", " ")
    end
  }.each(&:join)
  puts "end"
end
