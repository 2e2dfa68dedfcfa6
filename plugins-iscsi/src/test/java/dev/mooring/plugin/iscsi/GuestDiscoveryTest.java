// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.IscsiMachine.answer;
import static dev.mooring.plugin.iscsi.IscsiMachine.service;
import static dev.mooring.plugin.iscsi.IscsiMachine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real portal that wants to know who asks for its targets. */
@Tag("guest")
class GuestDiscoveryTest {
    private static final Path AUTH = Path.of("/sys/kernel/config/target/iscsi/discovery_auth");

    private IscsiMachine machine;
    private List<String> before = List.of();

    @BeforeEach
    void setUp() throws IOException {
        machine = new IscsiMachine();
        before = IscsiMachine.traces();
        service("lio-start", IQN);
        service("lio-lun", IQN, "0", "/tmp/disk0", "64M");
        Files.writeString(AUTH.resolve("userid"), "someone");
        Files.writeString(AUTH.resolve("password"), "planted-secret");
        Files.writeString(AUTH.resolve("enforce_discovery_auth"), "1");
        machine.secret.put(Chap.DISCOVERY + "username", "someone");
        machine.secret.put(Chap.DISCOVERY + "password", "planted-secret");
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        if (machine != null) {
            Files.writeString(AUTH.resolve("enforce_discovery_auth"), "0");
            for (String name : List.of("userid", "password", "userid_mutual", "password_mutual")) {
                Files.writeString(AUTH.resolve(name), "NULL");
            }
            assertThat(IscsiMachine.traces()).isEqualTo(before);
            assertThat(machine.ledger()).isEmpty();
            service("lio-stop", IQN);
        }
    }

    private static VolumeSpec asking() {
        return Volumes.block(Volumes.withDiscoveryChap(Volumes.source(IQN, 0)), Settings.DISCOVERY, "sendtargets");
    }

    private void stagesAndUnstages() throws IOException {
        PluginState state = value(machine.stage(asking()));
        assertThat(IscsiMachine.names("/etc/iscsi/send_targets")).isEmpty();
        try (var files = Files.walk(Path.of("/etc/iscsi"))) {
            assertThat(files.filter(Files::isRegularFile))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(file).content().doesNotContain("planted"));
        }
        assertThat(machine.said.toString() + state + machine.notes(asking())).doesNotContain("planted");
        assertThat(machine.device(asking()).sizeBytes()).isEqualTo(64L << 20);
        assertThat(answer(machine.unstage(asking(), state))).isEqualTo("done");
    }

    @Test
    void i05_aPortalIsShownWhoAsks() throws IOException {
        machine.secret.put(Chap.DISCOVERY + "password", "wrong-secret");
        assertThat(answer(machine.stage(asking()))).isEqualTo("DENIED");
        assertThat(IscsiMachine.traces()).isEqualTo(before);

        machine.secret.put(Chap.DISCOVERY + "password", "planted-secret");
        stagesAndUnstages();
    }

    @Test
    void i05_whoAsksIsShownThePortalToo() throws IOException {
        Files.writeString(AUTH.resolve("userid_mutual"), "target");
        Files.writeString(AUTH.resolve("password_mutual"), "planted-other");
        machine.secret.put(Chap.DISCOVERY + "username_in", "target");
        machine.secret.put(Chap.DISCOVERY + "password_in", "not-the-target's");
        assertThat(answer(machine.stage(asking()))).isEqualTo("DENIED");
        assertThat(IscsiMachine.traces()).isEqualTo(before);

        machine.secret.put(Chap.DISCOVERY + "password_in", "planted-other");
        stagesAndUnstages();
    }
}
