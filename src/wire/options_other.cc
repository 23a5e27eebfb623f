#include "wire/options_table.h"

namespace berth {
namespace {

constexpr OptionRow noted(std::string_view name, std::string_view says, Takes takes = Takes::value, char letter = 0) {
  return {name, letter, takes, Owner::slurm, "", "", nullptr, says, false};
}
constexpr OptionRow refused(std::string_view name, std::string_view says, Takes takes = Takes::value, char letter = 0) {
  return {name, letter, takes, Owner::slurm, "", "", nullptr, says, true};
}

constexpr std::string_view kMail = "no mail is sent; `berth wait` and the event stream tell when a job ends";
constexpr std::string_view kSteps = "berth launches no job steps";
constexpr std::string_view kBinding = "berth does not bind tasks to cores, memory or devices in this way";
constexpr std::string_view kSockets = "berth does not look at sockets, cores per socket or threads";
constexpr std::string_view kAsDaemon = "the machine's own setting holds";

constexpr auto kNoted = std::to_array<OptionRow>({
    noted("mail-type", kMail),
    noted("mail-user", kMail),
    noted("acctg-freq", "use is always recorded"),
    noted("profile", "use is always recorded"),
    noted("batch", "the script runs on the first task's node"),
    noted("contiguous", "nodes have no order here", Takes::nothing),
    noted("spread-job", "placement is berth's", Takes::nothing),
    noted("use-min-nodes", "placement is berth's", Takes::nothing),
    noted("switches", "placement is berth's"),
    noted("prefer", "features are required by --constraint or not looked at"),
    noted("cpu-freq", kAsDaemon),
    noted("gpu-freq", kAsDaemon),
    noted("delay-boot", "berth boots no nodes"),
    noted("network", kAsDaemon),
    noted("power", kAsDaemon),
    noted("distribution", kSteps, Takes::value, 'm'),
    noted("overcommit", kSteps, Takes::nothing, 'O'),
    noted("resv-ports", kSteps, Takes::optional_value),
    noted("stepmgr", kSteps, Takes::nothing),
    noted("oom-kill-step", kSteps, Takes::optional_value),
    noted("gpu-bind", kBinding),
    noted("gres-flags", kBinding),
    noted("mem-bind", kBinding),
    noted("tres-bind", kBinding),
    noted("hint", kSockets),
    noted("cores-per-socket", kSockets),
    noted("sockets-per-node", kSockets),
    noted("threads-per-core", kSockets),
    noted("ntasks-per-core", kSockets),
    noted("ntasks-per-socket", kSockets),
    noted("mincpus", "cores are asked for with --cpus-per-task"),
    noted("tmp", "disk space is not looked at"),
    noted("no-kill", "a job that loses a node ends, and runs again if it may be requeued", Takes::optional_value, 'k'),
    noted("kill-on-invalid-dep", "a dependency that can never be fulfilled ends the job"),
    noted("oversubscribe", "nodes are shared unless --exclusive is given", Takes::optional_value, 's'),
    noted("propagate", "limits of the submitting shell are not carried over", Takes::optional_value),
    noted("get-user-env", "the environment is that of --export", Takes::optional_value),
    noted("ignore-pbs", "#PBS lines are never read", Takes::nothing),
    noted("time-min", "--time stays as it was given"),
    noted("wait-all-nodes", "a job starts on all of its nodes at once"),
    noted("wckey", "use is counted by queue"),
    noted("extra", "nothing reads it; --comment is kept with the job"),
    noted("verbose", "what was understood is always printed", Takes::nothing, 'v'),
    noted("usage", "see --help", Takes::nothing),
});

constexpr auto kRefused = std::to_array<OptionRow>({
    refused("deadline", "deadlines are not offered yet"),
    refused("licenses", "licences are not counted here", Takes::value, 'L'),
    refused("reservation", "reservations by name are not offered yet"),
    refused("clusters", "there is only this cluster", Takes::value, 'M'),
    refused("cluster-constraint", "there is only this cluster"),
    refused("gpus-per-socket", "sockets are not looked at; write --gpus-per-node"),
    refused("ntasks-per-gpu", "write --ntasks and --gpus-per-task"),
    refused("tres-per-task", "write --gpus-per-task and --cpus-per-task"),
    refused("extra-node-info", "sockets are not looked at; write --cpus-per-task", Takes::value, 'B'),
    refused("core-spec", "cores cannot be set aside for the system", Takes::value, 'S'),
    refused("thread-spec", "threads cannot be set aside for the system"),
    refused("nodefile", "files of node names are not read; write --nodelist", Takes::value, 'F'),
    refused("export-file", "write --export, or berth's --env NAME=VALUE"),
    refused("bb", "there are no burst buffers"),
    refused("bbf", "there are no burst buffers"),
    refused("container", "containers are not offered; start one in the script"),
    refused("container-id", "containers are not offered; start one in the script"),
    refused("mcs-label", "labels are not offered"),
    refused("segment", "segments are not offered"),
    refused("reboot", "berth reboots no nodes", Takes::nothing),
    refused("uid", "a job runs as the user who submits it"),
    refused("gid", "a job runs as the user who submits it"),

    refused("workdir", "it was removed from Slurm; write --chdir"),
    refused("share", "it was removed from Slurm; write --oversubscribe", Takes::nothing),
    refused("immediate", "sbatch has no such option any more; write --deadline or leave it out", Takes::optional_value,
            'I'),
    refused("jobid", "ids are given by berth"),
    refused("het-group", "heterogeneous jobs are not offered; write a TOML job file with groups"),
});

}  // namespace

std::span<const OptionRow> noted_options() { return kNoted; }
std::span<const OptionRow> refused_options() { return kRefused; }

}  // namespace berth
