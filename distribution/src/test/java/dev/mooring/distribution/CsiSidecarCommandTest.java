// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The flags of Kubernetes' side-cars. */
class CsiSidecarCommandTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--leader-elect-namespace=x | Possible solutions: --leader-election",
                "--volume-name-prefx=x | Possible solutions: --volume-name-prefix",
                "--node --csi-address=tcp://host:1 | --csi-address: ",
                "--node --feature-gates=Topology=false | Topology cannot be switched off",
                "--node --feature-gates=Nope=true | there is no Nope",
                "--node --metrics-path=metrics | --metrics-path",
                "--node --health-port=70000 | --health-port",
                "--node --worker-threads=0 | --worker-threads",
                "--node --node-deployment --leader-election | --node-deployment takes no Leases",
                "--node --timeout=soon | must be a time",
            })
    void aWrongFlagIsNamed(String flags, String said) {
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine(Map.of());
        line.setErr(new PrintWriter(err));
        assertThat(line.execute(("csi sidecar " + flags).split(" "))).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains(said);
    }

    /** As Kubernetes' side-cars are started in the manifests of drivers. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--csi-address=/csi/csi.sock --leader-election --leader-election-namespace=storage --timeout=60s --feature-gates=Topology=true",
                "--csi-address=/csi/csi.sock --extra-create-metadata=true --default-fstype=ext4 --strict-topology=true --worker-threads=100",
                "--csi-address=/csi/csi.sock --handle-volume-inuse-error=false --http-endpoint=:8080 --metrics-path=/metrics",
                "--csi-address=/csi/csi.sock --kubelet-registration-path=/var/lib/kubelet/plugins/x/csi.sock --health-port=9808 --probe-timeout=3s",
                "--csi-address=/csi/csi.sock --node-deployment --immediate-topology=false --enable-capacity --capacity-poll-interval=30s",
            })
    void flagsOfManifestsAreTaken(String flags) {
        CommandLine.ParseResult parsed =
                Main.commandLine(Map.of()).parseArgs(("csi sidecar " + flags).split(" "));
        assertThat(parsed.subcommand().subcommand().matchedOptions())
                .hasSize(flags.split(" ").length);
    }
}
