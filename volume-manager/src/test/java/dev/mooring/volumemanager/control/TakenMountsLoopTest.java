// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.record.RecordCall;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ContainerStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.volumemanager.MountChanges;
import dev.mooring.volumemanager.calls.PublishCall;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What another program unmounts comes back, unless containers use it; and what containers use stays. */
class TakenMountsLoopTest extends StagedVolumeStory {
    @Test
    void whatAnotherProgramUnmountedIsFoundAtTheStart() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.run();
        world.mounts.clear();
        world.mounted.clear();
        world.restart();
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1", "publish pv1");
        assertThat(world.violations).isEmpty();
    }

    /** Its volume was published; before its object said so, the process died and another program unmounted the volume. */
    @Test
    void noPodRunsBeforeWhatAnEarlierProcessMountedHasBeenFound() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.storeFaults = effect -> effect.operation().equals(AgentOperations.RUN_POD)
                ? Optional.of(StoreResult.failed(StoreResult.Failure.UNAVAILABLE, "away"))
                : Optional.empty();
        world.run();
        world.mounts.clear();
        world.mounted.clear();
        world.restart();
        List<String> began = new ArrayList<>();
        world.storeFaults = effect -> {
            if (effect.operation().equals(AgentOperations.RUN_POD)) {
                began.add("with " + world.mounts.size() + " mounts");
            }
            return Optional.empty();
        };
        world.run();
        assertThat(began).containsExactly("with 1 mounts");
    }

    @Test
    void whatAnotherProgramUnmountsWhileItIsLookedForComesBack() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.run();
        world.restart();
        Path target = world.mounts.keySet().iterator().next();
        Set<Path> taken = new HashSet<>();
        world.afterVerify = looked -> looked.<Optional<Path>>match(
                        publish -> Optional.of(publish.target()).filter(world.mounts::containsKey),
                        stage -> Optional.empty())
                .filter(place -> taken.add(place))
                .ifPresent(world::unmountedByAnother);
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1", "publish pv1");
        assertThat(world.mounts).containsKey(target);
    }

    @Test
    void whatAnotherProgramUnmountsBeforeItIsRecordedComesBack() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        Set<Path> taken = new HashSet<>();
        world.faults = call -> {
            if (call instanceof RecordCall append && append.entry().phase() == RecordPhase.DONE) {
                Set.copyOf(world.mounts.keySet()).stream().filter(taken::add).forEach(world::unmountedByAnother);
            }
            return Optional.empty();
        };
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1", "publish pv1");
        assertThat(world.mounts).containsOnlyKeys(taken);
        assertThat(phase("web")).contains(PodPhase.RUNNING);
    }

    /** Plugins show nothing of what is not mounted where it was prepared. */
    private void nothingIsShownOfWhatIsNotPrepared() {
        world.faults = call -> call instanceof PublishCall publish
                        && !world.staged.contains(publish.record().volumeId())
                ? Optional.of(Outcome.deferred("not prepared"))
                : Optional.empty();
    }

    @Test
    void whatAnotherProgramUnmountedWhereItWasPreparedAndShownComesBack() {
        boundClaim();
        world.attach(BACKEND);
        nothingIsShownOfWhatIsNotPrepared();
        pod("web");
        world.run();
        world.mounts.clear();
        world.mounted.clear();
        world.staged.clear();
        world.restart();
        world.run();
        assertThat(world.calls).endsWith("stage pv1", "publish pv1");
        assertThat(world.mounts).hasSize(1);
        assertThat(world.violations).isEmpty();
    }

    @Test
    void whatAnotherProgramUnmountedWhereItWasPreparedIsPreparedAgainForTheNextPod() {
        boundClaim();
        world.attach(BACKEND);
        nothingIsShownOfWhatIsNotPrepared();
        pod("web");
        world.run();
        world.staged.clear();
        world.restart();
        world.run();
        pod("next");
        world.run();
        assertThat(phase("next")).contains(PodPhase.PENDING);
        assertThat(world.eventReasons())
                .anyMatch(event -> event.startsWith("FailedMount: ") && event.contains("no longer mounted"));
        deletePod("web");
        world.run();
        assertThat(phase("next")).contains(PodPhase.RUNNING);
        assertThat(world.calls).endsWith("unpublish pv1", "stage pv1", "publish pv1");
        assertThat(world.violations).isEmpty();
    }

    @Test
    void whatAContainerUsesIsNotMountedBeneathIt() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.run();
        Pod pod = world.store.get(Kinds.POD, ObjectKey.of("ns", "web")).orElseThrow();
        ContainerStatus runs = new ContainerStatus("main", ContainerStatus.State.EMPTY);
        world.store.put(Kinds.POD, pod.withStatus(pod.status().withContainerStatuses(List.of(runs))));
        world.mounts.clear();
        world.mounted.clear();
        world.restart();
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1");
        assertThat(world.eventReasons()).anyMatch(event -> event.startsWith("VolumeLost: "));
    }

    /** The kernel says that a mount has gone: it is missed at once, without a restart and without looking. */
    @Test
    void whatAnotherProgramUnmountsComesBack() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.run();
        Path target = world.mounts.keySet().iterator().next();
        int before = world.effects;
        world.signals.mounts().changed(new MountChanges.Change(Set.of(), Set.of(Path.of("/mnt/elsewhere"))));
        world.run();
        assertThat(world.effects).isEqualTo(before);

        world.unmountedByAnother(target);
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1", "publish pv1");
        assertThat(world.mounts).containsKey(target);
        assertThat(world.violations).isEmpty();
    }

    @Test
    void whatAnotherProgramUnmountsBeneathAContainerIsTold() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.run();
        containers("web", new ContainerStatus("main", ContainerStatus.State.EMPTY));
        world.unmountedByAnother(world.mounts.keySet().iterator().next());
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1");
        assertThat(world.eventReasons()).anyMatch(event -> event.startsWith("VolumeLost: "));
    }

    /** A pod's mark of deletion says that it shall end, not that it has (S7). */
    @Test
    void nothingIsTakenFromContainersThatStillRun() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.run();
        containers("web", new ContainerStatus("main", ContainerStatus.State.EMPTY));
        deletePod("web");
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1");
        containers(
                "web",
                new ContainerStatus(
                        "main",
                        new ContainerStatus.State(Optional.empty(), Optional.empty(), Optional.of(Document.empty()))));
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1", "unpublish pv1", "unstage pv1");
        assertThat(world.standing()).isEmpty();
    }

    private void containers(String pod, ContainerStatus status) {
        Pod found = world.store.get(Kinds.POD, ObjectKey.of("ns", pod)).orElseThrow();
        world.store.put(Kinds.POD, found.withStatus(found.status().withContainerStatuses(List.of(status))));
    }

    /** Before the machine goes down what no container uses goes too; the next boot shows it again. */
    @Test
    void i31_anOrderedShutdownTakesAwayWhatNoContainerUses() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.run();
        world.signals.shutdown().begins();
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1", "unpublish pv1", "unstage pv1");
        assertThat(inUse()).isEmpty();
        pod("late");
        world.run();
        assertThat(world.calls).as("nothing is shown any more").hasSize(4);

        world.reboot();
        world.run();
        assertThat(world.calls.subList(4, world.calls.size())).startsWith("stage pv1", "publish pv1");
        assertThat(world.violations).isEmpty();
    }

    @Test
    void i31_whatContainersOfAnotherKubeletMayUseStays() {
        NodeWorld others = NodeWorld.withDevices(SmallCluster.CONFIG.withoutPodLifecycle());
        others.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume("pv1", "data"));
        others.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
        others.attach(BACKEND);
        Pod pod = SmallCluster.pod("web", SmallCluster.claimed("v", "data"));
        others.store.put(Kinds.POD, pod);
        others.run();
        ContainerStatus runs = new ContainerStatus("main", ContainerStatus.State.EMPTY);
        others.store.put(Kinds.POD, pod.withStatus(pod.status().withContainerStatuses(List.of(runs))));
        others.run();
        others.signals.shutdown().begins();
        others.run();
        assertThat(others.calls).containsExactly("stage pv1", "publish pv1");
    }
}
