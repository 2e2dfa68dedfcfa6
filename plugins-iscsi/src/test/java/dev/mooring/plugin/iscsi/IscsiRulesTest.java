// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.IscsiMachine.answer;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.plugin.iscsi.IscsiExit.Action;
import dev.mooring.plugin.iscsi.IscsiExit.Seen;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.HostServices;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IscsiRulesTest {
    private final IscsiPlugin plugin = new IscsiPlugin();

    private static VolumeSource with(Object value, String... path) {
        VolumeSource good = Volumes.source(IQN, 0).toSource();
        return new VolumeSource(good.type(), good.attributes().with(value, path));
    }

    private static OperationContext context() {
        return InitiatorCall.of(
                HostServices.none(),
                new NodeRef("node-1", "uid"),
                InstantSource.fixed(Instant.EPOCH),
                new AtomicReference<>(PluginState.NONE),
                VolumeNotes.NONE,
                List.of(),
                Map.of());
    }

    @Test
    void isOfferedAsAService() {
        assertThat(IscsiPlugin.class.getModule().getDescriptor().provides())
                .anySatisfy(service -> assertThat(service.providers()).contains(IscsiPlugin.class.getName()));
    }

    @ParameterizedTest(name = "I1 {0} = {1}")
    @CsvSource(textBlock = """
            targetPortal, '', spec.iscsi.targetPortal
            targetPortal, 'bad portal', spec.iscsi.targetPortal
            targetPortal, '10.0.0.1:0', spec.iscsi.targetPortal
            targetPortal, '10.0.0.1:65536', spec.iscsi.targetPortal
            targetPortal, '10.0.0.256', spec.iscsi.targetPortal
            targetPortal, '-o delete', spec.iscsi.targetPortal
            targetPortal, '10.0.0.1', ''
            targetPortal, 'storage.example.com:3261', ''
            targetPortal, '[fd00::1]:3260', ''
            targetPortal, 'fd00::1', ''
            iqn, '', spec.iscsi.iqn
            iqn, 'iqn.2000-01.test', spec.iscsi.iqn
            iqn, 'x iqn.2000-01.test:a', spec.iscsi.iqn
            iqn, 'iqn.2000-01.test:a b', spec.iscsi.iqn
            iqn, 'iqn.2000-01.test:a;b', spec.iscsi.iqn
            iqn, 'iqn.2000-01.test:a,b', spec.iscsi.iqn
            iqn, 'iqn.2000-01.test:a&b', spec.iscsi.iqn
            iqn, 'iqn.2000-01.test:a|b', spec.iscsi.iqn
            iqn, 'iqn.2000-01.test:$(a)', spec.iscsi.iqn
            iqn, 'iqn.2000-01.test:*', spec.iscsi.iqn
            iqn, 'iqn.2000-01.test:../../etc', spec.iscsi.iqn
            iqn, 'iqn.2000-01.test:a:b.c-d_e', ''
            iqn, 'eui.02004567A425678D', ''
            iqn, 'eui.02004567A425678', spec.iscsi.iqn
            iqn, 'naa.62004567BA64678D0123456789ABCDEF', ''
            iqn, 'naa.62004567BA64678D', spec.iscsi.iqn
            iscsiInterface, '../x', spec.iscsi.iscsiInterface
            iscsiInterface, 'bnx2i.00:05', ''
            fsType, 'ext4 -o x', spec.iscsi.fsType
            initiatorName, 'no-iqn', spec.iscsi.initiatorName
            initiatorName, 'iqn.2000-01.test:me', ''
            """)
    void i01_fieldsAreChecked(String field, String value, String expected) {
        assertThat(plugin.validate(with(value, field)).stream().map(FieldProblem::field))
                .isEqualTo(expected.isEmpty() ? List.of() : List.of(expected));
    }

    @Test
    void i01_unitsAndSecretsAreChecked() {
        assertThat(plugin.validate(with(-1L, "lun"))).hasSize(1);
        assertThat(plugin.validate(with(256L, "lun"))).hasSize(1);
        assertThat(plugin.validate(with("1", "lun"))).hasSize(1);
        assertThat(plugin.validate(with(0L, "lun"))).isEmpty();
        assertThat(plugin.validate(with(255L, "lun"))).isEmpty();
        assertThat(plugin.validate(with(true, "chapAuthSession")))
                .extracting(FieldProblem::field)
                .containsExactly("spec.iscsi.secretRef");
        assertThat(plugin.validate(with(true, "chapAuthDiscovery"))).hasSize(1);
        assertThat(plugin.validate(with(Document.empty(), "secretRef"))).hasSize(1);
        assertThat(plugin.validate(Volumes.withChap(Volumes.source(IQN, 0)))).isEmpty();
        assertThat(plugin.validate(with(List.of("10.0.0.2", "no portal"), "portals")))
                .extracting(FieldProblem::field)
                .containsExactly("spec.iscsi.portals[1]");
    }

    @Test
    void i01_nameAndPortalTogetherHaveAtMost64CharactersIfThereIsAnInitiator() {
        String portal = "a".repeat(58) + ":3260";
        VolumeSource longPortal = Volumes.source(IQN, 0, portal).toSource();
        VolumeSource own = Volumes.withInitiator(Volumes.source(IQN, 0, portal), "iqn.2000-01.test:me");

        assertThat(answer(IscsiSources.checked(Volumes.block(longPortal)))).isEqualTo("done");
        assertThat(answer(IscsiSources.checked(Volumes.block(own)))).isEqualTo("INVALID");
        VolumeSource fits = Volumes.withInitiator(Volumes.source(IQN, 0, portal.substring(2)), "iqn.2000-01.test:me");
        assertThat(answer(IscsiSources.checked(Volumes.block(fits)))).isEqualTo("done");
    }

    @ParameterizedTest(name = "I2 {0} is {1}")
    @CsvSource(textBlock = """
            10.0.0.1, 10.0.0.1:3260
            10.0.0.1:3260, 10.0.0.1:3260
            010.0.0.1, 10.0.0.1:3260
            10.0.0.1:860, 10.0.0.1:860
            fd00::1, [fd00::1]:3260
            [fd00::1], [fd00::1]:3260
            [FD00:0:0:0:0:0:0:1]:3260, [fd00::1]:3260
            [::ffff:10.0.0.1]:3260, 10.0.0.1:3260
            ::1, [::1]:3260
            [1:0:0:2::3]:3260, [1:0:0:2::3]:3260
            [::]:3260, [::]:3260
            Storage.Example.COM., storage.example.com:3260
            """)
    void i02_textsOfOnePortalAreOnePortal(String text, String expected) {
        assertThat(Portal.parse(text).map(Portal::toString)).contains(expected);
    }

    @Test
    void i02_portalsAreUsedOnce() {
        assertThat(IscsiSources.portals(Volumes.source(IQN, 0, "10.0.0.1", "10.0.0.1:3260", "[::ffff:10.0.0.1]")))
                .containsExactly(new Portal("10.0.0.1", 3260));
    }

    private static String outcome(Action action, int code, Seen seen) {
        String answer = answer(IscsiExit.outcome(action, code, "", seen, 1));
        return switch (answer) {
            case "done" -> "D";
            case "deferred" -> "F";
            case "uncertain" -> "U";
            default -> answer;
        };
    }

    @ParameterizedTest(name = "I3 exit {0}")
    @CsvSource(textBlock = """
            -1, U,            U,            U,            U
            0,  U,            D,            U,            U
            1,  U,            U,            U,            U
            2,  F,            F,            U,            U
            3,  F,            F,            F,            F
            4,  F,            F,            U,            U
            5,  F,            F,            U,            U
            6,  F,            F,            F,            F
            7,  INVALID,      INVALID,      INVALID,      INVALID
            8,  F,            F,            U,            U
            9,  U,            U,            U,            U
            10, U,            U,            U,            U
            11, U,            U,            U,            U
            12, UNSUPPORTED,  UNSUPPORTED,  U,            U
            13, DENIED,       DENIED,       DENIED,       DENIED
            14, UNSUPPORTED,  UNSUPPORTED,  U,            U
            15, U,            F,            IN_USE,       IN_USE
            16, INCOMPATIBLE, INCOMPATIBLE, INCOMPATIBLE, INCOMPATIBLE
            17, F,            F,            F,            F
            18, U,            U,            U,            U
            19, DENIED,       DENIED,       U,            U
            20, F,            F,            F,            F
            21, F,            D,            U,            U
            22, U,            U,            U,            U
            23, F,            F,            U,            U
            24, DENIED,       DENIED,       U,            U
            25, F,            F,            F,            F
            26, F,            F,            F,            F
            27, UNSUPPORTED,  UNSUPPORTED,  UNSUPPORTED,  UNSUPPORTED
            28, F,            F,            IN_USE,       IN_USE
            29, F,            F,            F,            F
            30, INVALID,      INVALID,      U,            U
            31, U,            U,            U,            U
            32, F,            F,            U,            U
            33, U,            U,            U,            U
            99, U,            U,            U,            U
            """)
    void i03_everyExitCodeHasItsOutcome(int code, String login, String discovery, String logout, String delete) {
        assertThat(outcome(Action.LOGIN, code, Seen.ABSENT)).isEqualTo(login);
        assertThat(outcome(Action.LOGIN, code, Seen.PRESENT)).isEqualTo("D");
        assertThat(outcome(Action.DISCOVERY, code, Seen.UNKNOWN)).isEqualTo(discovery);
        assertThat(outcome(Action.LOGOUT, code, Seen.PRESENT)).isEqualTo(logout);
        assertThat(outcome(Action.LOGOUT, code, Seen.ABSENT)).isEqualTo("D");
        assertThat(outcome(Action.DELETE, code, Seen.PRESENT)).isEqualTo(delete);
        assertThat(outcome(Action.DELETE, code, Seen.ABSENT)).isEqualTo("D");
        boolean surelyGone = code == 0 || code == 2 || code == 21 || code == 23;
        assertThat(outcome(Action.LOGOUT, code, Seen.UNKNOWN)).isEqualTo(surelyGone ? "D" : logout);
    }

    @Test
    void i03_repeatedFailureAndTextRefineTheReason() {
        assertThat(answer(IscsiExit.outcome(Action.LOGIN, 5, "", Seen.ABSENT, 3)))
                .isEqualTo("INCOMPATIBLE");
        assertThat(answer(IscsiExit.outcome(Action.LOGIN, 19, "target not found", Seen.ABSENT, 1)))
                .isEqualTo("NOT_FOUND");
    }

    @Test
    void i22_targetAndUnitAreTheVolumeWhateverThePortal() {
        VolumeId one = plugin.identify(Volumes.source(IQN, 1, "10.0.0.1").toSource());

        assertThat(plugin.identify(Volumes.source(IQN, 1, "10.0.0.2:3260").toSource()))
                .isEqualTo(one);
        assertThat(plugin.identify(Volumes.source("IQN.2000-01.test:DISK", 1).toSource()))
                .isEqualTo(one);
        assertThat(plugin.identify(Volumes.source(IQN, 2, "10.0.0.1").toSource()))
                .isNotEqualTo(one);
        assertThat(plugin.identify(Volumes.source(IQN + "0", 1, "10.0.0.1").toSource()))
                .isNotEqualTo(one);
    }

    @Test
    void i22_onlyVolumesThatNoPodWritesAreShared() {
        VolumeSpec volume = Volumes.block(Volumes.source(IQN, 0).toSource());

        assertThat(plugin.requiresAttach(volume)).isTrue();
        assertThat(plugin.exclusive(volume)).isTrue();
        assertThat(plugin.exclusive(Volumes.withModes(volume))).isTrue();
        assertThat(plugin.exclusive(Volumes.withModes(volume, AccessMode.READ_ONLY_MANY, AccessMode.READ_WRITE_ONCE)))
                .isTrue();
        assertThat(plugin.exclusive(Volumes.withModes(volume, AccessMode.READ_ONLY_MANY)))
                .isFalse();
        assertThat(plugin.reportedName(volume, plugin.identify(volume.source())))
                .isEqualTo("kubernetes.io/iscsi/127.0.0.1:3260:" + IQN + ":0");
        assertThat(plugin.stagingDirectory(volume, plugin.identify(volume.source()))
                        .toString())
                .isEqualTo("volumeDevices/staging/iface-default/127.0.0.1:3260-" + IQN + "-lun-0");
    }

    @Test
    void i23_withoutEvidenceItIsUnknownWhatIsAttached() {
        VolumeId id = plugin.identify(Volumes.source(IQN, 0).toSource());

        assertThat(plugin.observe(context(), new NodeRef("node-1", "uid"), Set.of(id)))
                .isEqualTo(Map.of(id, Attaching.State.UNKNOWN));
        assertThat(plugin.observe(context(), new NodeRef("node-1", "uid"), Set.of()))
                .isEmpty();
    }

    @Test
    void attachingRefusesWhatCannotBeStaged() {
        VolumeSpec good = Volumes.block(Volumes.source(IQN, 0).toSource());
        VolumeSpec wrong = Volumes.block(Volumes.source(IQN, 0).toSource(), Settings.FENCING, "perhaps");
        NodeRef node = new NodeRef("node-1", "uid");

        assertThat(plugin.attach(context(), good, node).result()).contains(Map.of());
        assertThat(answer(plugin.attach(context(), wrong, node))).isEqualTo("INVALID");
    }

    @ParameterizedTest(name = "I27 sg_persist {0}")
    @CsvSource(textBlock = """
            0, done
            1, INVALID
            2, deferred
            3, uncertain
            5, UNSUPPORTED
            6, deferred
            7, DENIED
            9, UNSUPPORTED
            11, uncertain
            15, deferred
            24, elsewhere
            26, deferred
            33, uncertain
            97, uncertain
            98, uncertain
            99, uncertain
            -1, uncertain
            """)
    void i27_everyExitOfSgPersistHasItsOutcome(int code, String expected) {
        assertThat(answer(PersistExit.outcome("reserving", code))).isEqualTo(expected);
    }

    @Test
    void secretsAreCheckedBeforeAnythingRuns() {
        VolumeSource source = Volumes.withChap(Volumes.source(IQN, 0));
        Map<String, String> data = new TreeMap<>();

        assertThat(chap(source, data)).isEqualTo("INVALID");
        data.put("node.session.auth.username", "someone");
        assertThat(chap(source, data)).isEqualTo("INVALID");
        data.put("node.session.auth.password", "planted-secret");
        assertThat(chap(source, data)).isEqualTo("done");
        data.put("node.session.auth.username_in", "target");
        assertThat(chap(source, data)).isEqualTo("INVALID");
        data.put("node.session.auth.password_in", "planted-secret");
        assertThat(chap(source, data)).isEqualTo("INVALID");
        data.put("node.session.auth.password_in", "other-secret");
        assertThat(chap(source, data)).isEqualTo("done");
        data.put("node.session.auth.password", "planted\nsecret");
        assertThat(chap(source, data)).isEqualTo("INVALID");
        data.put("node.session.auth.password", "s".repeat(257));
        assertThat(chap(source, data)).isEqualTo("INVALID");
    }

    private static String chap(VolumeSource source, Map<String, String> data) {
        Outcome<?> outcome = IscsiSources.checked(Volumes.block(source))
                .then(fields -> Chap.ofSession(
                        InitiatorCall.of(
                                HostServices.none(),
                                new NodeRef("node-1", "uid"),
                                InstantSource.fixed(Instant.EPOCH),
                                new AtomicReference<>(PluginState.NONE),
                                VolumeNotes.NONE,
                                List.of(),
                                data),
                        source,
                        fields));
        assertThat(outcome.toString()).doesNotContain("planted");
        return answer(outcome);
    }

    @Test
    void aDoubtIsOverOnceTheLoginMustHaveEndedTheClockWasSetBackOrTheMachineBooted() {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");

        assertThat(doubt(now.plusSeconds(1)).mayComeTrue(now, "boot")).isTrue();
        assertThat(doubt(now.plus(Login.LONGEST)).mayComeTrue(now, "boot")).isTrue();
        assertThat(doubt(now).mayComeTrue(now, "boot")).isFalse();
        assertThat(doubt(now.plus(Login.LONGEST).plusSeconds(1)).mayComeTrue(now, "boot"))
                .isFalse();
        assertThat(doubt(now.plusSeconds(1)).mayComeTrue(now, "next")).isFalse();
    }

    private static Login.Doubt doubt(Instant until) {
        return new Login.Doubt(until, "boot");
    }

    @Test
    void whatAnEarlierVersionHasRememberedIsReadToo() {
        Staged staged =
                Staged.nothing(IQN, 3, "default").with(new Staged.PortalUse(new Portal("10.0.0.1", 3260), true, true));

        assertThat(staged.toState().content().lines()).contains("portal 10.0.0.1:3260 ours ours");
    }

    @Test
    void whatIsRememberedIsReadBackAndNothingElseIs() {
        Staged staged = Staged.nothing(IQN, 3, "default")
                .with(new Staged.PortalUse(new Portal("fd00::1", 3260), true, false))
                .with(new Staged.PortalUse(
                        new Portal("10.0.0.1", 3260),
                        false,
                        true,
                        Optional.of("None"),
                        Optional.of(new Login.Doubt(Instant.ofEpochSecond(7), "boot"))))
                .with(new Staged.DeviceUse("1:0:0:3", true))
                .withDisk("t10.VENDOR  with blanks", 42)
                .withMap("mpatha")
                .withKey("ab")
                .withMount("8:0");

        assertThat(Staged.read(staged.toState()).result()).contains(Optional.of(staged));
        assertThat(Staged.read(PluginState.NONE).result()).contains(Optional.empty());
        assertThat(answer(Staged.read(new PluginState(1, "nonsense")))).isEqualTo("CORRUPT");
        assertThat(answer(Staged.read(new PluginState(2, staged.toState().content()))))
                .isEqualTo("CORRUPT");
        assertThat(answer(Staged.read(
                        new PluginState(1, staged.toState().content().replace("ours", "perhaps")))))
                .isEqualTo("CORRUPT");
    }
}
