import java.io.File;
import java.io.FileOutputStream;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

/** A resource manager with two node managers, until it is killed; args: the folder for `yarn-site.xml`. */
public class MiniYarn {
    public static void main(String[] args) throws Exception {
        YarnConfiguration stated = new YarnConfiguration();
        stated.setInt("yarn.scheduler.minimum-allocation-mb", 128);
        stated.setInt("yarn.nodemanager.resource.memory-mb", 4096);
        // Java reserves more than it uses; physical memory is checked, as by default
        stated.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
        stated.set("yarn.scheduler.capacity.root.queues", "default");
        stated.set("yarn.scheduler.capacity.root.default.capacity", "100");
        MiniYARNCluster cluster = new MiniYARNCluster("yarn", 2, 1, 1);
        cluster.init(stated);
        cluster.start();
        if (!cluster.waitForNodeManagersToConnect(60_000)) {
            throw new IllegalStateException("the nodes did not register");
        }
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::stop));
        try (FileOutputStream site = new FileOutputStream(new File(args[0], "yarn-site.xml"))) {
            cluster.getConfig().writeXml(site);
        }
        System.out.println("READY");
        Thread.currentThread().join();
    }
}
