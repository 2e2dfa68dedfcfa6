// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import static dev.mooring.volumemanager.machine.Playground.kindOf;
import static dev.mooring.volumemanager.machine.Playground.modeAndGroup;
import static dev.mooring.volumemanager.machine.Playground.tool;
import static dev.mooring.volumemanager.machine.Playground.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntryPublishBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSecurityContext;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeMount;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.volumemanager.machine.HangingFiles;
import dev.mooring.volumemanager.machine.Playground;
import dev.mooring.volumemanager.machine.RecordingCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodStepsTest {
    private static final PodRef POD = new PodRef("ns", "web", "uid");

    /** What a plugin answers that has given the volume to the pod's group itself. */
    private static final PluginState GIVEN = new PluginState(1, "given");

    private Playground machine;
    private Path volume;
    private PodSteps steps;

    /** Says of itself whether its files may be given away. */
    private record Described(String name, boolean managesOwnership) implements StoragePlugin {
        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(new PluginName("example.com/" + name), List.of(name), Place.NODE)
                    .withManagesOwnership(managesOwnership);
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            return new VolumeId(describe().name(), "volume");
        }

        @Override
        public List<FieldProblem> validate(VolumeSource source) {
            return List.of();
        }
    }

    /** Its volumes belong to the first pod's group. */
    private static final class Shared implements StoragePlugin, Publishing {
        private final Described description = new Described("shared", true);

        @Override
        public PluginDescriptor describe() {
            return description.describe();
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            return description.identify(source);
        }

        @Override
        public List<FieldProblem> validate(VolumeSource source) {
            return List.of();
        }

        @Override
        public boolean ownedByFirstPod() {
            return true;
        }

        @Override
        public boolean givesToGroup(PluginState state) {
            return state.equals(GIVEN);
        }

        @Override
        public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
            throw new UnsupportedOperationException("mounted by the test");
        }

        @Override
        public Outcome<Nothing> unpublish(
                OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
            throw new UnsupportedOperationException("mounted by the test");
        }
    }

    @Test
    void whatThePluginHasGivenToTheGroupIsNotWalked() throws IOException {
        Path data = machine.file("disk/file", "x").getParent();
        tool("mount", "--bind", data.toString(), volume.toString());

        value(steps.afterPublish(
                machine.context(), call("shared", false, Occasion.INITIAL, pod(4711L, "", "")), GIVEN));

        assertThat(Files.getAttribute(data.resolve("file"), "unix:gid")).isEqualTo(0);
    }

    @Test
    void l02_onlyTheFirstPodsGroupGetsTheVolume() throws IOException {
        Path data = machine.file("disk/file", "x").getParent();
        tool("mount", "--bind", data.toString(), volume.toString());
        Path other = machine.base.resolve("root/pods/other/volumes/p/data");
        Files.createDirectories(other);

        RecordingCall context = machine.context();
        value(run(context, call("shared", false, Occasion.INITIAL, pod(4711L, "", ""))));
        assertThat(Files.getAttribute(data.resolve("file"), "unix:gid")).isEqualTo(4711);

        // who comes second finds it as it is
        tool("mount", "--bind", data.toString(), other.toString());
        value(run(context, callOf("other", other, pod(4712L, "", ""), Set.of())));
        assertThat(context.news()).singleElement().asString().startsWith("AlreadyMountedVolume");
        assertThat(Files.getAttribute(data.resolve("file"), "unix:gid")).isEqualTo(4711);
        value(run(context, call("ours", false, Occasion.INITIAL, pod(4712L, "", ""))));
        assertThat(Files.getAttribute(data.resolve("file"), "unix:gid")).isEqualTo(4712);
    }

    /** What an earlier process has done is in the records. */
    @Test
    void l02_aPodThatIsRecordedToHaveTheVolumeKeepsIt() throws IOException {
        Path data = machine.file("disk/file", "x").getParent();
        Path other = machine.base.resolve("root/pods/other/volumes/p/data");
        Files.createDirectories(other);
        tool("mount", "--bind", data.toString(), volume.toString());
        tool("mount", "--bind", data.toString(), other.toString());

        value(run(machine.context(), callOf("other", other, pod(4712L, "", ""), Set.of("uid"))));
        assertThat(Files.getAttribute(data.resolve("file"), "unix:gid")).isEqualTo(0);

        // a record without a mount is of a pod that has lost it
        tool("umount", volume.toString());
        value(run(machine.context(), callOf("other", other, pod(4712L, "", ""), Set.of("uid"))));
        assertThat(Files.getAttribute(data.resolve("file"), "unix:gid")).isEqualTo(4712);
    }

    @Test
    void l02_ofTwoPodsWhoseMountsAreThereAtOnceTheFirstGivesItsGroup() throws IOException {
        Path data = machine.file("disk/file", "x").getParent();
        Path other = machine.base.resolve("root/pods/other/volumes/p/data");
        Files.createDirectories(other);
        tool("mount", "--bind", data.toString(), volume.toString());
        tool("mount", "--bind", data.toString(), other.toString());

        value(run(machine.context(), call("shared", false, Occasion.INITIAL, pod(4711L, "", ""))));
        value(run(machine.context(), callOf("other", other, pod(4712L, "", ""), Set.of())));

        assertThat(Files.getAttribute(data.resolve("file"), "unix:gid")).isEqualTo(4711);
        steps.beforeUnpublish(machine.context(), record("shared"));
        tool("umount", volume.toString());
        value(run(machine.context(), callOf("third", other, pod(4713L, "", ""), Set.of())));
        assertThat(Files.getAttribute(data.resolve("file"), "unix:gid")).isEqualTo(4711);
    }

    @Test
    void l02_aWalkThatWasCutOffIsEndedByTheNextCall() throws IOException {
        Path data = machine.file("disk/file", "x").getParent();
        for (int i = 0; i < 1200; i++) {
            Files.createFile(data.resolve("f" + i));
        }
        Path other = machine.base.resolve("root/pods/other/volumes/p/data");
        Files.createDirectories(other);
        tool("mount", "--bind", data.toString(), volume.toString());
        RecordingCall late =
                new RecordingCall(machine.host, Instant.EPOCH, () -> Instant.EPOCH, new CopyOnWriteArrayList<>());
        assertThat(run(late, call("shared", false, Occasion.INITIAL, pod(4711L, "", "")))
                        .isDone())
                .isFalse();

        tool("mount", "--bind", data.toString(), other.toString());
        value(run(machine.context(), callOf("other", other, pod(4711L, "", ""), Set.of())));
        value(run(machine.context(), call("shared", false, Occasion.RECOVERY, pod(4711L, "", ""))));
        assertThat(Files.getAttribute(data.resolve("file"), "unix:gid")).isEqualTo(4711);
        assertThat(Files.getAttribute(data.resolve("f1199"), "unix:gid")).isEqualTo(4711);
    }

    @BeforeEach
    void makesAVolume() {
        machine = new Playground(
                HostFeature.ROOT, HostFeature.RESOLVE_RULES, HostFeature.MOUNT_IDENTITY, HostFeature.ATOMIC_BIND);
        volume = machine.file("root/pods/uid/volumes/p/data/dir/file", "x")
                .getParent()
                .getParent();
        steps = new PodSteps(
                machine.base.resolve("root"),
                new PluginRegistry(List.of(new Described("ours", true), new Described("theirs", false), new Shared())));
    }

    @AfterEach
    void cleans() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    private static Pod pod(Long fsGroup, String policy, String subPath) {
        VolumeMount mount = new VolumeMount("data", "/data", false, subPath, "", Optional.empty());
        PodSecurityContext security = PodSecurityContext.EMPTY
                .withFsGroup(Optional.ofNullable(fsGroup))
                .withFsGroupChangePolicy(Optional.of(policy).filter(text -> !text.isEmpty()));
        return Pod.of(
                "ns",
                "web",
                PodSpec.EMPTY
                        .withContainers(List.of(new Container("main", "image", List.of(mount), List.of())))
                        .withSecurityContext(Optional.of(security)));
    }

    private Publish record(String plugin) {
        return RecordEntryPublishBuilder.builder()
                .pod(POD)
                .podVolume("data")
                .volume("pv")
                .volumeId(new VolumeId(new PluginName("example.com/" + plugin), "volume"))
                .state(PluginState.NONE)
                .target(volume)
                .phase(RecordPhase.INTENT)
                .bootId("boot-1")
                .build();
    }

    private PublishCall call(String plugin, boolean readOnly, Occasion occasion, Pod pod) {
        VolumeSpec spec = new VolumeSpec(
                "data",
                "",
                new VolumeSource(plugin, Document.empty()),
                List.of(),
                VolumeMode.FILESYSTEM,
                Quantity.ZERO,
                List.of(),
                Map.of());
        PublishRequest request = new PublishRequest(spec, POD, volume, Optional.empty(), readOnly, occasion);
        return new PublishCall(
                new NodeRef("n1", "uid"), record(plugin), request, PodSetup.of(pod, Set.of("data")), Set.of());
    }

    /** The same volume for another pod. */
    private PublishCall callOf(String uid, Path target, Pod pod, Set<String> holders) {
        PublishCall first = call("shared", false, Occasion.INITIAL, pod);
        PodRef ref = new PodRef("ns", uid, uid);
        Publish record = RecordEntryPublishBuilder.builder()
                .pod(ref)
                .podVolume("data")
                .volume("pv")
                .volumeId(first.record().volumeId())
                .state(PluginState.NONE)
                .target(target)
                .phase(RecordPhase.INTENT)
                .bootId("boot-1")
                .build();
        PublishRequest request =
                new PublishRequest(first.request().volume(), ref, target, Optional.empty(), false, Occasion.INITIAL);
        return new PublishCall(first.onNode(), record, request, first.setup(), holders);
    }

    private Outcome<Nothing> run(OperationContext context, PublishCall call) {
        return steps.afterPublish(context, call, PluginState.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "ours, false, INITIAL, 4711, '', true",
        "ours, false, RECOVERY, 4711, Always, true",
        "ours, false, INITIAL, 4711, OnRootMismatch, true",
        "ours, true, INITIAL, 4711, '', false",
        "ours, false, REPUBLISH, 4711, '', true",
        "theirs, false, INITIAL, 4711, '', false",
        "ours, false, INITIAL, , '', false",
        "ours, false, INITIAL, -1, '', false",
        "ours, false, INITIAL, 4294967295, '', false"
    })
    void aVolumeIsGivenToThePodsGroup(
            String plugin, boolean readOnly, Occasion occasion, Long group, String policy, boolean given)
            throws IOException {
        value(run(machine.context(), call(plugin, readOnly, occasion, pod(group, policy, ""))));
        assertThat(modeAndGroup(volume).endsWith(" 4711")).isEqualTo(given);
        assertThat(modeAndGroup(volume.resolve("dir/file")).endsWith(" 4711")).isEqualTo(given);
    }

    private RecordingCall hurried(HostServices host) {
        return machine.context().with(host).hurried();
    }

    private void mountOfADeadServer() {
        tool("mount", "-t", "tmpfs", "-o", "size=1m", "10.9.9.9:/export", volume.toString());
        tool("touch", volume.resolve("file").toString());
    }

    @Test
    void aServerThatDoesNotAnswerEndsTheCallBeforeAnythingIsGiven() throws Exception {
        mountOfADeadServer();
        HangingFiles hanging = new HangingFiles(machine.host, volume);
        PublishCall call = call("ours", false, Occasion.INITIAL, pod(4711L, "", ""));
        try {
            for (String why : List.of("", ": an earlier look has not ended")) {
                Outcome<Nothing> answer = run(hurried(hanging.host), call);
                assertThat(kindOf(answer)).isEqualTo("deferred");
                assertThat(answer.message())
                        .isEqualTo(
                                "volume \"data\" cannot be given to group 4711: server 10.9.9.9 does not answer" + why);
            }
            hanging.awaitLook();
            assertThat(hanging.looks()).isEqualTo(1);
        } finally {
            hanging.answer();
        }
        assertThat(modeAndGroup(volume.resolve("file"))).endsWith(" 0");
        value(run(machine.context(), call));
        assertThat(modeAndGroup(volume.resolve("file"))).endsWith(" 4711");
    }

    @Test
    void aWalkThatWasGivenUpChangesNothingWhenItsServerIsBack() throws Exception {
        mountOfADeadServer();
        HangingFiles hanging = HangingFiles.inWalks(machine.host);
        PublishCall call = call("ours", false, Occasion.INITIAL, pod(4711L, "", ""));
        Thread caller = new Thread(() -> run(machine.context().with(hanging.host), call), "caller");
        caller.start();
        hanging.awaitLook();
        caller.interrupt(); // the pod gives up
        caller.join();
        Outcome<Nothing> again = run(hurried(hanging.host), call);
        assertThat(kindOf(again)).isEqualTo("uncertain");
        assertThat(again.message()).contains("volume \"data\"", "server 10.9.9.9 does not answer");
        hanging.answer();
        while (!run(machine.context(), call("ours", false, Occasion.INITIAL, pod(4712L, "", "")))
                .isDone()) {
            assertThat(modeAndGroup(volume.resolve("file"))).endsWith(" 0");
        }
        assertThat(modeAndGroup(volume.resolve("file"))).endsWith(" 4712");
        assertThat(modeAndGroup(volume)).endsWith(" 4712");
    }

    @Test
    void aRootThatIsRightIsEnoughIfThePodSaysSo() throws IOException {
        value(run(machine.context(), call("ours", false, Occasion.INITIAL, pod(4711L, "", ""))));
        tool("chgrp", "0", volume.resolve("dir/file").toString());
        value(run(machine.context(), call("ours", false, Occasion.INITIAL, pod(4711L, "OnRootMismatch", ""))));
        assertThat(modeAndGroup(volume.resolve("dir/file"))).endsWith(" 0");
        value(run(machine.context(), call("ours", false, Occasion.INITIAL, pod(4711L, "Always", ""))));
        assertThat(modeAndGroup(volume.resolve("dir/file"))).endsWith(" 4711");
    }

    @Test
    void h13_whatCannotBeGivenAwayIsToldInsteadOfSwallowed() throws IOException {
        Path stuck = volume.resolve("dir/file");
        assumeTrue(immutable("+i", stuck), "the file system has no immutable files");
        try {
            Outcome<Nothing> answer = run(machine.context(), call("ours", false, Occasion.INITIAL, pod(4711L, "", "")));
            assertThat(kindOf(answer)).isEqualTo("DENIED");
            assertThat(answer.message()).contains("dir/file");
        } finally {
            immutable("-i", stuck);
        }
    }

    private static boolean immutable(String how, Path file) {
        try {
            tool("chattr", how, file.toString());
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @Test
    void aLongWalkSaysHowFarItIsAndEndsAtItsDeadlineToBeGoneOnWith() throws IOException {
        for (int i = 0; i < 1200; i++) {
            Files.createFile(volume.resolve("dir/" + i));
        }
        // ten seconds pass between two looks at the clock
        AtomicLong seconds = new AtomicLong();
        RecordingCall slow = new RecordingCall(
                machine.host,
                Instant.EPOCH.plus(Duration.ofSeconds(150)),
                () -> Instant.EPOCH.plusSeconds(10 * seconds.getAndIncrement()),
                new CopyOnWriteArrayList<>());
        PublishCall call = call("ours", false, Occasion.INITIAL, pod(4711L, "OnRootMismatch", ""));
        assertThat(kindOf(run(slow, call))).isEqualTo("uncertain");
        assertThat(slow.news()).hasSize(2).allMatch(text -> text.startsWith("VolumePermissionChangeInProgress: "));
        assertThat(modeAndGroup(volume)).doesNotEndWith(" 4711");
        value(run(machine.context(), call));
        assertThat(modeAndGroup(volume)).endsWith(" 4711");
    }

    @Test
    void aSubPathIsMadeWhenTheGroupIsRightAndGoesBeforeTheVolume() throws IOException {
        value(run(machine.context(), call("ours", false, Occasion.INITIAL, pod(4711L, "", "logs"))));
        Path place = machine.base.resolve("root/pods/uid/volume-subpaths/data/main/0");
        assertThat(modeAndGroup(place)).isEqualTo("2775 4711");
        value(steps.beforeUnpublish(machine.context(), record("ours")));
        assertThat(machine.mountsBelow(machine.base)).isEmpty();
        assertThat(machine.base.resolve("root/pods/uid/volume-subpaths")).doesNotExist();
    }
}
